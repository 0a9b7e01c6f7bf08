import { type Message, toolUsesOf } from '../../message';
import type { SessionState } from './session-state';

/** Longer ids are random. Shorter ones may be counters of the model, and so repeat. */
const MAX_COUNTED_CHARS = 20;

/** The former call ids, including the calls that leave the conversation with these messages. */
export function formerCallIdsWith(
  { formerCallIds = [] }: Pick<SessionState, 'formerCallIds'>,
  messages: readonly Message[],
): readonly string[] {
  const leaving = messages.flatMap((message) => toolUsesOf(message).map(({ id }) => id));
  return [
    ...new Set([...formerCallIds, ...leaving.filter(({ length }) => length <= MAX_COUNTED_CHARS)]),
  ];
}
