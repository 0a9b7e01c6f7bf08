import { randomUUID } from 'node:crypto';
import { toolUsesOf, type JsonObject, type Message } from '../../message';
import type { ModelEvent } from '../chat-model';

/** The ids of the calls in a history, which a new answer must not reuse. */
export function usedCallIds(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => toolUsesOf(message).map(({ id }) => id));
}

/** A random id: ids derived from words would repeat across conversations. */
export function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`;
}

/** The events of a call that arrives at once. */
export function wholeCall(name: string, input: JsonObject): readonly ModelEvent[] {
  const id = newCallId();
  return [
    { type: 'tool_use.delta', id, name, delta: JSON.stringify(input) },
    { type: 'tool_use', id, name, input },
  ];
}
