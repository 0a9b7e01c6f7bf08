import { type Message, toolUsesOf } from '../../message';
import type { SessionState } from './session-state';

/** Longer ids are random. Shorter ones may be counted by the model, and so come again. */
const MAX_COUNTED_CHARS = 20;

/** The ids of calls that leave the conversation with these messages, and of those before them. */
export function formerCallIdsWith(
  { formerCallIds = [] }: Pick<SessionState, 'formerCallIds'>,
  messages: readonly Message[],
): readonly string[] {
  const leaving = messages.flatMap((message) => toolUsesOf(message).map(({ id }) => id));
  return [
    ...new Set([...formerCallIds, ...leaving.filter(({ length }) => length <= MAX_COUNTED_CHARS)]),
  ];
}
