import { ModelError } from 'nestjs-agent';
import { Closers, ON_FASTIFY, removed } from './http/agent-app';
import { GENERATIONS } from './front-ends/ag-ui/clients';
import { Tab } from './front-ends/ag-ui/tab';

const add = (id: string, a: unknown = 1): object => ({ id, name: 'add', input: { a, b: 2 } });

describe.each(ON_FASTIFY)('AG-UI on %s', (adapter) => {
  describe.each(GENERATIONS)('with the client %s', (generation) => {
    const isModern = generation === '1.0.0';
    const apps = new Closers();
    afterEach(() => apps.close());
    const open = async (steps: readonly unknown[], options: object = {}): Promise<Tab> => {
      const { url } = await apps.open({ adapter, steps: steps as never, ...options });
      return new Tab(url, { generation });
    };

    it('streams text, with the ids of the client and of the session', async () => {
      const tab = await open([{ text: ['Hello', ', you.'] }, 'And again.']);
      await tab.say('Hi');
      expect(tab.types).toEqual([
        'RUN_STARTED',
        'STEP_STARTED',
        'TEXT_MESSAGE_START',
        'TEXT_MESSAGE_CONTENT',
        'TEXT_MESSAGE_CONTENT',
        'TEXT_MESSAGE_END',
        'STEP_FINISHED',
        'RUN_FINISHED',
      ]);
      const { runId } = tab.sent[0] ?? {};
      expect(tab.events[0]).toEqual({
        type: 'RUN_STARTED',
        threadId: 'main',
        runId,
        ...(isModern && { protocolVersion: '1.0' }),
      });
      expect(tab.events.at(-1)).toEqual({
        type: 'RUN_FINISHED',
        threadId: 'main',
        runId,
        outcome: { type: 'success' },
        ...(isModern && {
          usage: [{ model: 'scripted', inputTokens: 10, outputTokens: 5, totalTokens: 15 }],
        }),
      });
      expect(tab.of('STEP_STARTED')).toEqual([{ type: 'STEP_STARTED', stepName: 'step-1' }]);
      expect(tab.agent.messages[1]).toMatchObject({
        id: expect.stringMatching(/^run_[\w-]+:1$/) as string,
        role: 'assistant',
        content: 'Hello, you.',
      });
      await tab.say('Once more');
      expect(tab.texts).toEqual(['Hello, you.', 'And again.']);
    });

    it('tells a call and its result', async () => {
      const tab = await open([{ text: 'Let me see.', toolCalls: [add('c1')] }, 'It is 3.']);
      await tab.say('1 and 2?');
      const [answer] = tab.of('TEXT_MESSAGE_START');
      expect(tab.of('TOOL_CALL_START')).toEqual([
        {
          type: 'TOOL_CALL_START',
          toolCallId: 'c1',
          toolCallName: 'add',
          parentMessageId: answer?.['messageId'],
        },
      ]);
      expect(tab.of('TOOL_CALL_ARGS').map(({ delta }) => delta)).toEqual(['{"a":1,"b":2}']);
      expect(tab.of('TOOL_CALL_RESULT')).toEqual([
        {
          type: 'TOOL_CALL_RESULT',
          messageId: 'c1:result',
          toolCallId: 'c1',
          role: 'tool',
          content: '3',
          metadata: { isError: false, outcome: 'ok' },
        },
      ]);
      expect(tab.agent.messages.map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
      ]);
      expect(await tab.history()).toEqual(tab.agent.messages);
    });

    it('tells two calls of one step, with the same parent', async () => {
      const tab = await open([{ toolCalls: [add('c1'), add('c2', 5)] }, 'Done.']);
      await tab.say('Both');
      expect(new Set(tab.of('TOOL_CALL_START').map((event) => event['parentMessageId'])).size).toBe(
        1,
      );
      expect(tab.results).toEqual({ c1: ['3'], c2: ['7'] });
      expect(tab.texts).toEqual(['Done.']);
    });

    it('streams the arguments of a call as the model writes them', async () => {
      const tab = await open([
        [
          { type: 'tool_use.delta', id: 'c1', name: 'add', delta: '{"a":1,' },
          { type: 'tool_use.delta', id: 'c1', name: 'add', delta: '"b":2}' },
          { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1, b: 2 } },
          { type: 'finish', reason: 'tool_use' },
        ],
        'It is 3.',
      ]);
      await tab.say('1 and 2?');
      expect(
        tab
          .of('TOOL_CALL_ARGS')
          .map(({ delta }) => delta)
          .join(''),
      ).toBe('{"a":1,"b":2}');
      expect(tab.of('TOOL_CALL_START')).toHaveLength(1);
      expect(tab.agent.messages[1]?.toolCalls?.[0]?.function.arguments).toBe('{"a":1,"b":2}');
    });

    it.each([
      ['failing', { id: 'c1', name: 'read_note', input: { id: 'x' } }],
      ['unknown', { id: 'c1', name: 'nothing_like_it', input: {} }],
      ['malformed', { id: 'c1', name: 'add', malformedInput: '{"a": 1,, ' }],
      ['invalid', add('c1', 'one')],
    ])('tells a call that is %s as an error, and goes on', async (_what, call) => {
      const tab = await open([{ toolCalls: [call] }, 'Sorry.']);
      await tab.say('Go');
      expect(tab.of('TOOL_CALL_RESULT')).toMatchObject([
        { toolCallId: 'c1', metadata: { isError: true, outcome: 'error' } },
      ]);
      expect(tab.texts).toEqual(['Sorry.']);
      expect(tab.outcome).toEqual({ type: 'success' });
    });

    it('sends reasoning, and leaves it out where it is not to be sent', async () => {
      const steps = [{ reasoning: 'Hm.', text: 'Yes.' }];
      const tab = await open(steps);
      await tab.say('Well?');
      expect(tab.types.filter((type) => type.startsWith('REASONING'))).toEqual([
        'REASONING_START',
        'REASONING_MESSAGE_START',
        'REASONING_MESSAGE_CONTENT',
        'REASONING_MESSAGE_END',
        'REASONING_END',
      ]);
      expect(tab.agent.messages.map(({ role }) => role)).toEqual([
        'user',
        'reasoning',
        'assistant',
      ]);
      expect(await tab.history()).toEqual(tab.agent.messages);
      const silent = await open(steps, { sendReasoning: false });
      await silent.say('Well?');
      expect(silent.streams.join('')).not.toMatch(/REASONING|Hm\./);
      expect(JSON.stringify(await silent.history())).not.toContain('Hm.');
    });

    it('ends with an error where the model fails, before and within its text', async () => {
      const failure = new ModelError('model_bad_request', 'The model is unwell.');
      const tab = await open([failure, [{ type: 'text.delta', delta: 'Well' }, failure], 'Fine.']);
      await tab.say('Go');
      expect(tab.types[0]).toBe('RUN_STARTED');
      expect(tab.events.at(-1)).toEqual({
        type: 'RUN_ERROR',
        code: 'model_bad_request',
        message: 'The model is unwell.',
      });
      await tab.say('Go on');
      expect(tab.types.slice(-4)).toEqual([
        'TEXT_MESSAGE_CONTENT',
        'TEXT_MESSAGE_END',
        'STEP_FINISHED',
        'RUN_ERROR',
      ]);
      await tab.say('And now?');
      expect(tab.texts).toContain('Fine.');
    });

    it('words the end of a run that has too many steps', async () => {
      const tab = await open([{ toolCalls: [add('c1')] }], { maxSteps: 1 });
      await tab.say('Go');
      expect(tab.texts).toHaveLength(1);
      expect(tab.texts[0]).toMatch(/iterations/);
      expect(tab.agent.messages.at(-1)?.id).toMatch(/:2$/);
      expect(await tab.history()).toMatchObject(tab.agent.messages);
    });

    it('runs what was approved, once', async () => {
      const call = { id: 'c1', name: 'remove_file', input: { name: `${adapter}${generation}` } };
      const tab = await open([{ toolCalls: [call] }, 'Gone.']);
      await tab.say('Remove it');
      expect(tab.outcome).toMatchObject({ type: 'interrupt', interrupts: [{ id: 'c1' }] });
      expect(removed).not.toContain(`${adapter}${generation}`);
      await tab.approve('c1');
      expect(removed.filter((name) => name === `${adapter}${generation}`)).toHaveLength(1);
      expect(tab.types).not.toContain('TOOL_CALL_START');
      expect(tab.texts).toEqual(['Gone.']);
      expect(await tab.history()).toEqual(tab.agent.messages);
    });
  });
});
