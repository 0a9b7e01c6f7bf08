import fc from 'fast-check';
import { toolUsesOf, type ContentBlock, type Message } from '../../../message';
import { anyHistory } from '../../fixtures/history.arbitrary';
import { fromOpenAiMessages } from '../../fixtures/openai-history';
import { openAiNormalForm } from '../../fixtures/openai.normal-form';
import { brokenOpenAiRules } from '../../fixtures/openai.rules';
import { wellFormed } from '../../history';
import { namesOf } from '../../tool-calls';
import { openAiCallId } from './openai-call-id';
import { toOpenAiMessages } from './openai-messages';
import { OPENAI_QUIRKS, type OpenAiQuirks } from '../openai-quirks';

/** The conversion for a service, with the way back for names and ids. */
function convert(history: readonly Message[], quirks: OpenAiQuirks) {
  const ids = history.flatMap(toolUsesOf).map(({ id }) => [openAiCallId(id, quirks), id] as const);
  const known = new Map(ids);
  return {
    sent: toOpenAiMessages(undefined, history, quirks),
    idOf: (id: string) => known.get(id) ?? `unknown: ${id}`,
    ...namesOf({ messages: history, tools: [] }),
  };
}

function textsIn(block: ContentBlock): readonly string[] {
  if (block.type === 'text') return [block.text];
  if (block.type !== 'tool_result') return [];
  return typeof block.content === 'string' ? [block.content] : block.content.flatMap(textsIn);
}

describe('toOpenAiMessages', () => {
  it('makes of any valid history one that OpenAI takes', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { sent } = convert(history, OPENAI_QUIRKS);
        expect(brokenOpenAiRules(sent)).toEqual([]);
        for (const message of sent) {
          // Its answer to a longer one: https://github.com/vercel/ai/issues/5171
          if (message.role === 'tool') expect(message.tool_call_id.length).toBeLessThanOrEqual(40);
        }
      }),
    );
  });

  it('loses nothing that OpenAI has room for', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { sent, ...back } = convert(history, OPENAI_QUIRKS);
        expect(fromOpenAiMessages(sent, back)).toEqual(openAiNormalForm(history));
      }),
      { numRuns: 300 },
    );
  });

  it('loses no call, argument, result or word where a service takes plain text alone', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { sent, idOf, nameOf } = convert(history, {});
        expect(brokenOpenAiRules(sent)).toEqual([]);
        const calls = sent.flatMap((message) =>
          message.role === 'assistant' ? (message.tool_calls ?? []) : [],
        );
        expect(
          calls.map((call) =>
            call.type === 'function'
              ? {
                  id: idOf(call.id),
                  name: nameOf(call.function.name),
                  input: JSON.parse(call.function.arguments) as unknown,
                }
              : undefined,
          ),
        ).toEqual(
          history
            .flatMap(toolUsesOf)
            .map(({ id, name, input }) => ({ id, name, input: wellFormed(input) })),
        );
        const results = sent.filter((message) => message.role === 'tool');
        const expected = history
          .flatMap(({ content }) => content)
          .filter((block) => block.type === 'tool_result');
        expect(
          results.map(({ tool_call_id: id, content }) => ({
            id: idOf(id),
            isError: typeof content === 'string' && content.startsWith('Error: '),
          })),
        ).toEqual(expected.map(({ tool_use_id: id, is_error: isError }) => ({ id, isError })));
        const words = JSON.stringify(sent);
        const said = history.flatMap(({ content }) => content.flatMap(textsIn));
        // Half a surrogate pair carries no text; two halves may meet where texts are joined.
        for (const text of said.flatMap((part) => part.split(/\p{Surrogate}/u))) {
          expect(words).toContain(JSON.stringify(text).slice(1, -1));
        }
      }),
    );
  });

  it('keeps to what other services ask for', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const quirks = { shortCallIds: true, assistantAfterTool: true, singleSystem: true };
        const sent = toOpenAiMessages('system', history, quirks);
        expect(brokenOpenAiRules(sent)).toEqual([]);
        expect(sent.filter(({ role }) => role === 'system')).toHaveLength(1);
        sent.forEach((message, index) => {
          if (message.role === 'tool') expect(message.tool_call_id).toMatch(/^[a-zA-Z0-9]{9}$/);
          if (message.role === 'user') expect(sent[index - 1]?.role).not.toBe('tool');
        });
        const plain = toOpenAiMessages('system', history, { userSystem: true, singleCalls: true });
        expect(brokenOpenAiRules(plain)).toEqual([]);
        expect(plain.filter(({ role }) => role === 'system')).toEqual([]);
        for (const message of plain) {
          const calls = message.role === 'assistant' ? message.tool_calls : undefined;
          expect(calls ?? [{}]).toHaveLength(1);
        }
      }),
    );
  });

  it('tells a failed call from one whose result only reads like it', () => {
    const result = (content: string, is_error: boolean): readonly Message[] => [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'add', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content, is_error }] },
    ];
    const sent = (content: string, isError: boolean) =>
      toOpenAiMessages(undefined, result(content, isError)).at(-1)?.content;
    expect(sent('no', true)).toBe('Error: no');
    expect(sent('3', false)).toBe('3');
    expect(sent('Error: no', false)).toBe('Result: Error: no');
  });

  it('names the call that a picture belongs to as the service knows it', () => {
    const history: readonly Message[] = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'draw', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call_1',
            content: [{ type: 'image', mediaType: 'image/png', data: 'AAAA' }],
            is_error: false,
          },
        ],
      },
    ];
    const [, answer, picture] = toOpenAiMessages(undefined, history, { shortCallIds: true });
    const id = answer?.role === 'tool' ? answer.tool_call_id : '';
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(JSON.stringify(picture)).toContain(`Belongs to the result of call ${id}:`);
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
  });
});
