import { textOf, toolUsesOf, type Message } from '../../message';
import type { ModelRequest } from '../chat-model';

const MAX_CHARS = 200;

/** Whether a request without tools wants a conversation summarised. */
export function wantsSummary({ system = '', messages }: ModelRequest): boolean {
  const last = messages.at(-1);
  return (
    /summar/i.test(system) ||
    (last !== undefined && /^\W*(?:\w+\W+){0,6}summar/i.test(textOf(last)))
  );
}

/** The questions and the tools used, in the words of the conversation itself. */
export function summarize(messages: readonly Message[]): string {
  const lines = messages.flatMap((message) => {
    const text = textOf(message).replace(/\s+/g, ' ').trim();
    const calls = toolUsesOf(message).map(({ name, input }) => `${name}(${JSON.stringify(input)})`);
    return [
      ...(text === '' ? [] : [`${message.role}: ${text.slice(0, MAX_CHARS)}`]),
      ...(calls.length === 0 ? [] : [`tools used: ${calls.join(', ').slice(0, MAX_CHARS)}`]),
    ];
  });
  return `Summary of the conversation so far:\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
