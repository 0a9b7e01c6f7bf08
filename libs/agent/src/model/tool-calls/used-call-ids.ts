import { toolUsesOf, type Message } from '../../message';

/** The ids of the calls in a history, which a new answer must not reuse. */
export function usedCallIds(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => toolUsesOf(message).map(({ id }) => id));
}
