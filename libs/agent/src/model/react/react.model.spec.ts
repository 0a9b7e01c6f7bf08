import { estimatedUsage, textMessage, textOf } from '../../message';
import { ScriptedModel } from '../../testing';
import type { ToolDefinition } from '../../tool';
import { collect, textIn } from '../fixtures/collect';
import { react } from './react';

const ADD: ToolDefinition = {
  name: 'add',
  description: 'Add two numbers',
  input_schema: { type: 'object', properties: { a: { type: 'number' } } },
};
const usage = estimatedUsage(1, 1);
const CALL = '<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>';

describe('react()', () => {
  it('teaches the protocol and reads the calls', async () => {
    const inner = new ScriptedModel([{ text: Array.from(`<think>hm</think>${CALL}`), usage }], {
      capabilities: { tools: false },
    });
    const model = react(inner);
    expect(model.capabilities.tools).toBe(true);
    const { events } = await collect(model, { system: 'Be kind.', tools: [ADD] });
    expect(textIn(events)).toBe('');
    expect(events.filter(({ type }) => type === 'tool_use')).toMatchObject([
      { name: 'add', input: { a: 1 } },
    ]);
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool_use', usage });
    const [request] = inner.requests;
    expect(request?.tools).toEqual([]);
    expect(request?.stop).toEqual(['<observation']);
    expect(request?.system).toMatch(/^Be kind\.[\s\S]*- add: Add two numbers/);
  });

  it('writes earlier calls and results as text', async () => {
    const inner = new ScriptedModel(['<answer>3</answer>']);
    const { events } = await collect(react(inner), {
      tools: [ADD],
      messages: [
        textMessage('user', 'add'),
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c', name: 'add', input: { a: 1 } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: 'no', is_error: true }],
        },
      ],
    });
    expect(textIn(events)).toBe('3');
    expect(inner.requests[0]?.messages.map(textOf)).toEqual([
      'add',
      CALL,
      '<observation tool="add" failed="true">\nno\n</observation>\n',
    ]);
  });

  it('hints at the format at most twice, then ends clearly', async () => {
    const broken = { text: '<tool_call>add 1</tool_call>', usage };
    const mended = new ScriptedModel([broken, broken, { text: CALL, usage }]);
    const { events } = await collect(react(mended), { tools: [ADD] });
    expect(events.at(-1)).toMatchObject({
      reason: 'tool_use',
      usage: { totalTokens: 6 },
    });
    expect(textOf(mended.requests[1]?.messages.at(-1) ?? { content: [] })).toContain('exactly');
    mended.assertComplete();

    const stubborn = new ScriptedModel([broken, broken, broken]);
    const { error } = await collect(react(stubborn), { tools: [ADD] });
    expect(error).toMatchObject({ name: 'ModelError', isRetryable: false });
    stubborn.assertComplete();
  });

  it.each(['max_tokens', 'refusal'] as const)(
    'asks for nothing again where %s cut the call off',
    async (finishReason) => {
      const inner = new ScriptedModel([{ text: `Wait. ${CALL.slice(0, 30)}`, finishReason }]);
      const { events, error } = await collect(react(inner), { tools: [ADD] });
      expect(error).toBeUndefined();
      expect(events).toMatchObject([
        { type: 'text.delta', delta: 'Wait. ' },
        { type: 'finish', reason: finishReason },
      ]);
    },
  );

  it('reads the classic form, and hints at the format where its input is no JSON', async () => {
    const classic = (input: string) => ({
      text: Array.from(`Thought: I add.\nAction: add\nAction Input: ${input}\nObservation: 3\n`),
      usage,
    });
    const inner = new ScriptedModel([classic('one'), classic('{"a": 1}')]);
    const { events } = await collect(react(inner), { tools: [ADD] });
    expect(textIn(events)).toBe('');
    expect(events.filter(({ type }) => type === 'tool_use')).toMatchObject([
      { name: 'add', input: { a: 1 } },
    ]);
    expect(textOf(inner.requests[1]?.messages.at(-1) ?? { content: [] })).toContain('exactly');
    inner.assertComplete();
  });

  it('leaves a request without tools alone', async () => {
    const inner = new ScriptedModel(['<b>{"name":"add"}</b>']);
    const { events } = await collect(react(inner));
    expect(textIn(events)).toBe('<b>{"name":"add"}</b>');
    expect(inner.requests[0]?.system).toBeUndefined();
  });
});
