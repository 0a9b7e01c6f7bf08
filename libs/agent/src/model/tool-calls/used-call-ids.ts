import { toolUsesOf, type Message } from '../../message';

/** The ids of the calls in a history: a new answer must not use them again. */
export function usedCallIds(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => toolUsesOf(message).map(({ id }) => id));
}
