import fc from 'fast-check';
import { textOf, toolUsesOf, type Message } from '../../message';
import { anyHistory } from '../fixtures/history.arbitrary';
import { namesOf } from '../stream';
import { toOpenAiMessages } from './openai-messages';

type Sent = ReturnType<typeof toOpenAiMessages>[number];

/** The rules that Chat Completions documents, and those that some services add. */
function brokenRules(messages: readonly Sent[]): string[] {
  const problems: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id)) problems.push('a result without its call');
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) problems.push(`${message.role} before every result is there`);
    if (message.role === 'assistant') {
      const calls = message.tool_calls ?? [];
      if (calls.length === 0 && !message.content) problems.push('an assistant that says nothing');
      for (const call of calls) {
        if (call.type !== 'function') continue;
        if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name)) problems.push('a bad name');
        open.push(call.id);
      }
      if (new Set(open).size < open.length) problems.push('an id used twice');
    }
  }
  if (open.length > 0) problems.push('a call without its result');
  return problems;
}

describe('toOpenAiMessages', () => {
  it('makes of any valid history one that the services take', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(brokenRules(toOpenAiMessages('system', history))).toEqual([]);
        const strict = { shortCallIds: true, assistantAfterTool: true, singleSystem: true };
        const sent = toOpenAiMessages('system', history, strict);
        expect(brokenRules(sent)).toEqual([]);
        expect(sent.filter(({ role }) => role === 'system')).toHaveLength(1);
        sent.forEach((message, index) => {
          if (message.role === 'tool') expect(message.tool_call_id).toMatch(/^[a-zA-Z0-9]{9}$/);
          if (message.role === 'user') expect(sent[index - 1]?.role).not.toBe('tool');
        });
      }),
    );
  });

  it('loses no call, argument, result or word of it', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const sent = toOpenAiMessages(undefined, history);
        const { nameOf } = namesOf({ messages: history, tools: [] });
        const calls = sent.flatMap((message) =>
          message.role === 'assistant' ? (message.tool_calls ?? []) : [],
        );
        expect(
          calls.map((call) =>
            call.type === 'function'
              ? {
                  id: call.id,
                  name: nameOf(call.function.name),
                  input: JSON.parse(call.function.arguments) as unknown,
                }
              : undefined,
          ),
        ).toEqual(history.flatMap(toolUsesOf).map(({ id, name, input }) => ({ id, name, input })));
        const results = sent.flatMap((message) => (message.role === 'tool' ? [message] : []));
        const expected = history.flatMap(({ content }) =>
          content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])),
        );
        expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(
          expected.map(({ tool_use_id }) => tool_use_id),
        );
        results.forEach(({ content }, index) => {
          const block = expected[index];
          if (typeof block?.content === 'string') expect(content).toContain(block.content);
          if (block?.is_error === true) expect(content).toMatch(/^error/i);
        });
        const words = JSON.stringify(sent);
        for (const message of history) {
          for (const block of message.content) {
            if (block.type === 'text') {
              expect(words).toContain(JSON.stringify(block.text).slice(1, -1));
            }
          }
        }
      }),
    );
  });

  it('sends thoughts back where a service wants them', () => {
    const history: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'hello' },
        ],
      },
    ];
    const sent = (reasoningBack?: 'reasoning_content' | 'think_tags') =>
      toOpenAiMessages(undefined, history, reasoningBack === undefined ? {} : { reasoningBack })[1];
    expect(sent()).toEqual({ role: 'assistant', content: 'hello' });
    expect(sent('reasoning_content')).toMatchObject({ reasoning_content: 'hm' });
    expect(sent('think_tags')).toMatchObject({ content: '<think>hm</think>\nhello' });
    expect(textOf(history[1] ?? { content: [] })).toBe('hello');
  });
});
