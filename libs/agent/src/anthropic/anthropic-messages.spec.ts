import fc from 'fast-check';
import { toolUsesOf } from '../message';
import { anyHistory } from '../model/fixtures/history.arbitrary';
import { namesOf } from '../model/stream';
import { anthropicId, toAnthropicMessages } from './anthropic-messages';

describe('toAnthropicMessages', () => {
  it('makes of any valid history one that the API takes, without losing a call or result', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { messages, system } = toAnthropicMessages(history);
        const { nameOf } = namesOf({ messages: history, tools: [] });
        expect(messages[0]?.role).toBe('user');
        messages.forEach(({ role, content }, index) => {
          expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant');
          expect(content.length).toBeGreaterThan(0);
          const isOther = content.map(({ type }) => type !== 'tool_result');
          // Results come before anything else.
          expect(
            isOther.indexOf(true) === -1 || !isOther.slice(isOther.indexOf(true)).includes(false),
          ).toBe(true);
          const asked = content.flatMap((block) => (block.type === 'tool_use' ? block.id : []));
          const next = messages[index + 1]?.content ?? [];
          const answered = next.flatMap((block) =>
            block.type === 'tool_result' ? block.tool_use_id : [],
          );
          if (asked.length > 0) expect(answered.slice().sort()).toEqual(asked.slice().sort());
          for (const block of content) {
            if (block.type === 'text') expect(block.text.trim()).not.toBe('');
            if (block.type === 'tool_use') expect(block.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
          }
        });
        const sent = messages.flatMap(({ content }) => content);
        expect(
          sent.flatMap((block) =>
            block.type === 'tool_use'
              ? [{ id: block.id, name: nameOf(block.name), input: block.input }]
              : [],
          ),
        ).toEqual(
          history
            .flatMap(toolUsesOf)
            .map(({ id, name, input }) => ({ id: anthropicId(id), name, input })),
        );
        const summaries = history.filter(({ role }) => role === 'system');
        expect(system).toHaveLength(summaries.length);
      }),
    );
  });

  it('keeps different ids different', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(anthropicId(`!${a}`) === anthropicId(`!${b}`)).toBe(a === b);
      }),
    );
  });
});
