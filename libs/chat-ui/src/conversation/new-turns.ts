import type { Said } from '../state/attachment';
import type { Turn } from '../state/chat-state';
import { emptyTurn } from '../state/turns-of-messages';

let lastKey = 0;

/** A key that no other turn has. */
export function nextKey(): string {
  lastKey += 1;
  return `turn-${lastKey}`;
}

/** What the user says, and the answer that is about to begin. */
export function asking({ text, attachments }: Said): readonly Turn[] {
  const isUploading = attachments !== undefined;
  return [
    { role: 'user', key: nextKey(), text, ...(attachments && { attachments }) },
    { ...emptyTurn(nextKey()), status: 'running', ...(isUploading && { isUploading }) },
  ];
}
