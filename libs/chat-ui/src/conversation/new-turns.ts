import type { Turn } from '../state/chat-state';
import { emptyTurn } from '../state/turns-of-messages';

let lastKey = 0;

/** A key that no other turn has. */
export function nextKey(): string {
  lastKey += 1;
  return `turn-${lastKey}`;
}

/** What the user says, and the answer that is about to begin. */
export function asking(text: string): readonly Turn[] {
  return [
    { role: 'user', key: nextKey(), text },
    { ...emptyTurn(nextKey()), status: 'running' },
  ];
}
