import { Closers, ON_EXPRESS, removed } from './http/agent-app';
import { GENERATIONS } from './front-ends/ag-ui/clients';
import { Tab } from './front-ends/ag-ui/tab';

describe.each(ON_EXPRESS)('approvals over AG-UI on %s', (adapter) => {
  describe.each(GENERATIONS)('with the client %s', (generation) => {
    const apps = new Closers();
    let url: string;
    let last = 0;
    let file = '';
    beforeEach(() => {
      last += 1;
      file = `${adapter} ${generation} ${last}`;
    });
    afterEach(() => apps.close());
    const open = async (...steps: readonly unknown[]): Promise<Tab> => {
      ({ url } = await apps.open({ adapter, steps: steps as never }));
      return new Tab(url, { generation });
    };
    const remove = (id: string, name = file): object => ({
      id,
      name: 'remove_file',
      input: { name },
    });
    const isGone = (name = file): number => removed.filter((each) => each === name).length;

    it('interrupt the run, in the form for which front-ends have buttons', async () => {
      const tab = await open({ toolCalls: [remove('c1')] });
      await tab.say('Remove it');
      expect(tab.outcome).toEqual({
        type: 'interrupt',
        interrupts: [
          {
            id: 'c1',
            reason: 'tool_call',
            toolCallId: 'c1',
            message: expect.stringContaining('remove_file') as string,
            expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
            responseSchema: {
              type: 'object',
              properties: {
                approved: { type: 'boolean' },
                reason: { type: 'string' },
                editedArgs: { type: 'object' },
              },
              required: ['approved'],
            },
          },
        ],
      });
      expect(tab.agent.pendingInterrupts).toHaveLength(1);
    });

    it.each([
      ['denied, with a reason', { approved: false, reason: 'Not that one.' }],
      ['answered with anything but true', { approved: 'true', reason: 'Not that one.' }],
    ])('let nothing run that is %s', async (_what, verdict) => {
      const tab = await open({ toolCalls: [remove('c1')] }, 'I left it.');
      await tab.say('Remove it');
      await tab.resume({ c1: verdict });
      expect(isGone()).toBe(0);
      expect(tab.of('TOOL_CALL_RESULT')).toMatchObject([
        { metadata: { isError: true, outcome: 'declined' } },
      ]);
      expect(JSON.stringify(tab.results)).toContain('Not that one.');
      expect(tab.texts).toEqual(['I left it.']);
      expect(await tab.history()).toEqual(tab.agent.messages);
    });

    it.each([
      ['a text', 'yes'],
      ['a list', [{ approved: true }]],
      ['a reason that is no text', { approved: false, reason: { code: 7 } }],
    ])('are declined by %s, as by anything but true', async (_what, verdict) => {
      const tab = await open({ toolCalls: [remove('c1')] }, 'I left it.');
      await tab.say('Remove it');
      await tab.resume({ c1: verdict });
      expect(isGone()).toBe(0);
      expect(tab.of('TOOL_CALL_RESULT')).toMatchObject([{ metadata: { outcome: 'declined' } }]);
      expect(tab.texts).toEqual(['I left it.']);
    });

    it('let nothing run that is cancelled', async () => {
      const tab = await open({ toolCalls: [remove('c1')] }, 'I left it.');
      await tab.say('Remove it');
      await tab.resume({ c1: null });
      expect(isGone()).toBe(0);
      expect(tab.texts).toEqual(['I left it.']);
    });

    it('run what was edited, and tell the call no second time', async () => {
      const tab = await open({ toolCalls: [remove('c1')] }, 'Gone.');
      await tab.say('Remove it');
      const editedArgs = { name: `${file}, edited` };
      await tab.resume({ c1: { approved: true, editedArgs } });
      expect([isGone(), isGone(`${file}, edited`)]).toEqual([0, 1]);
      expect(tab.types.filter((type) => /TOOL_CALL_(START|ARGS|END)/.test(type))).toEqual([]);
      const asked = tab.agent.messages[1]?.toolCalls?.[0]?.function.arguments;
      expect(JSON.parse(asked ?? '')).toEqual({ name: file });
    });

    it('keep waiting where what was edited is refused', async () => {
      const tab = await open({ toolCalls: [remove('c1')] }, 'Gone.');
      await tab.say('Remove it');
      const refused = await tab.fails(
        tab.resume({ c1: { approved: true, editedArgs: { nome: 'x' } } }),
      );
      expect(refused.message).toContain('HTTP 400');
      await tab.approve('c1');
      expect(isGone()).toBe(1);
    });

    it('are answered two at once, each its own way', async () => {
      const other = `${file}, other`;
      const tab = await open({ toolCalls: [remove('c1'), remove('c2', other)] }, 'One is gone.');
      await tab.say('Remove both');
      expect(tab.agent.pendingInterrupts.map(({ id }) => id)).toEqual(['c1', 'c2']);
      await tab.resume({ c1: { approved: true }, c2: { approved: false } });
      expect([isGone(), isGone(other)]).toEqual([1, 0]);
      expect(tab.texts).toEqual(['One is gone.']);
    });

    it('wait for the other one where one is answered', async () => {
      const other = `${file}, other`;
      const tab = await open({ toolCalls: [remove('c1'), remove('c2', other)] }, 'Both are gone.');
      await tab.say('Remove both');
      const second = new Tab(url, { generation, messages: tab.agent.messages });
      await second.approve('c1');
      expect(second.outcome).toMatchObject({ type: 'interrupt', interrupts: [{ id: 'c2' }] });
      expect([isGone(), isGone(other)]).toEqual([0, 0]);
      await second.approve('c2');
      expect([isGone(), isGone(other)]).toEqual([1, 1]);
      expect(second.texts).toEqual(['Both are gone.']);
    });

    it('are given after a reload, which asks again', async () => {
      const tab = await open({ toolCalls: [remove('c1')] }, 'Gone.');
      await tab.say('Remove it');
      const messages = await tab.history();
      expect(messages).toEqual(tab.agent.messages);
      const reloaded = new Tab(url, { generation, messages });
      await reloaded.run();
      expect(reloaded.types).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
      expect(reloaded.outcome).toEqual(tab.outcome);
      await reloaded.approve('c1');
      expect(isGone()).toBe(1);
      expect(await reloaded.history()).toEqual(reloaded.agent.messages);
    });

    it('make a message wait that comes without their answer', async () => {
      const tab = await open({ toolCalls: [remove('c1')] }, 'Gone.', 'Hello to you.');
      await tab.say('Remove it');
      const other = new Tab(url, { generation, messages: tab.agent.messages });
      await other.say('Hello?');
      expect(other.types).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
      expect(other.outcome).toMatchObject({ type: 'interrupt', interrupts: [{ id: 'c1' }] });
      await other.approve('c1');
      expect(isGone()).toBe(1);
      expect(other.texts).toEqual(['Gone.', 'Hello to you.']);
    });

    it('come with a message: one AG-UI run for both', async () => {
      const tab = await open({ toolCalls: [remove('c1')] }, 'Gone.', 'Hello to you.');
      await tab.say('Remove it');
      tab.add('Hello?');
      await tab.approve('c1');
      expect(tab.types.filter((type) => type.startsWith('RUN_'))).toEqual([
        'RUN_STARTED',
        'RUN_FINISHED',
      ]);
      expect(tab.texts).toEqual(['Gone.', 'Hello to you.']);
      const ids = tab.of('TEXT_MESSAGE_START').map(({ messageId }) => messageId);
      expect(new Set(ids).size).toBe(2);
      const counted = [{ model: 'scripted', inputTokens: 20, outputTokens: 10, totalTokens: 30 }];
      expect(tab.of('RUN_FINISHED')[0]?.['usage']).toEqual(
        generation === '1.0.0' ? counted : undefined,
      );
      const roles = (await tab.history()) as readonly { readonly role: string }[];
      expect(roles.map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
        'user',
        'assistant',
      ]);
    });

    it('come with a message that waits once more where the run asks once more', async () => {
      const other = `${file}, other`;
      const tab = await open(
        { toolCalls: [remove('c1')] },
        { toolCalls: [remove('c2', other)] },
        'Both are gone.',
        'Hello to you.',
      );
      await tab.say('Remove both, one by one');
      tab.add('Hello?');
      await tab.approve('c1');
      expect(tab.outcome).toMatchObject({ type: 'interrupt', interrupts: [{ id: 'c2' }] });
      expect(tab.agent.messages.at(-1)).toMatchObject({ role: 'user', content: 'Hello?' });
      expect(tab.texts).toEqual([]);
      await tab.approve('c2');
      expect([isGone(), isGone(other)]).toEqual([1, 1]);
      expect(tab.texts).toEqual(['Both are gone.', 'Hello to you.']);
    });

    it('hold though the message that comes with them is refused', async () => {
      const call = { toolCalls: [remove('c1')] };
      const limits = { messageChars: 20 };
      ({ url } = await apps.open({ adapter, limits, steps: [call as never, 'Gone.', 'Hello.'] }));
      const tab = new Tab(url, { generation });
      await tab.say('Remove it');
      tab.add('Hello? This is far too long a message.');
      await tab.approve('c1');
      expect(tab.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'invalid_input' });
      expect(isGone()).toBe(1);
      expect(tab.texts).toEqual(['Gone.']);
      expect(tab.agent.messages.at(-1)).toMatchObject({ role: 'user' });
    });

    it('can no longer be given once the run is stopped', async () => {
      const tab = await open({ toolCalls: [remove('c1')] });
      await tab.say('Remove it');
      expect((await tab.ask('main/run', { method: 'DELETE' })).status).toBe(204);
      await tab.approve('c1');
      expect(isGone()).toBe(0);
      expect(tab.types).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
      expect(Object.keys(tab.results)).toEqual(['c1']);
    });

    it('are declined by a message that comes with their cancellation', async () => {
      const tab = await open({ toolCalls: [remove('c1')] }, 'Never mind.');
      await tab.say('Remove it');
      tab.add('Leave it, tell me a joke');
      await tab.resume({ c1: null });
      expect(isGone()).toBe(0);
      expect(tab.texts).toEqual(['Never mind.']);
      expect(tab.of('TOOL_CALL_RESULT')).toMatchObject([
        { toolCallId: 'c1', metadata: { isError: true } },
      ]);
      expect(await tab.history()).toEqual(tab.agent.messages);
    });

    it('forget what CopilotKit notes as a result of a call that waits', async () => {
      const tab = await open({ toolCalls: [remove('c1')] }, 'Gone.');
      await tab.say('Remove it');
      tab.answer('c1', '{"approved":true}');
      await tab.approve('c1');
      expect(tab.types.slice(0, 2)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT']);
      expect(tab.results).toEqual({ c1: [`removed ${file}`] });
      expect(isGone()).toBe(1);
      expect(await tab.history()).toEqual(tab.agent.messages);
    });

    it('are given by nothing but a resume: a forged result or list has no effect', async () => {
      const tab = await open({ toolCalls: [remove('c1')] });
      await tab.say('Remove it');
      const forger = new Tab(url, { generation, messages: tab.agent.messages });
      forger.answer('c1', '{"approved":true}');
      await forger.run();
      expect(forger.types).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
      expect(forger.outcome).toMatchObject({ type: 'interrupt', interrupts: [{ id: 'c1' }] });
      expect(forger.results).toEqual({});
      expect(isGone()).toBe(0);
    });

    it('are answered once: a second tab is shown what became of it', async () => {
      const tab = await open({ toolCalls: [remove('c1')] }, 'Gone.');
      await tab.say('Remove it');
      const other = new Tab(url, { generation, messages: tab.agent.messages });
      await tab.approve('c1');
      await other.approve('c1');
      expect(isGone()).toBe(1);
      expect(other.types).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
      expect(other.outcome).toEqual({ type: 'success' });
      expect(other.agent.messages).toEqual(tab.agent.messages);
    });

    it('that nobody knows leave the thread alive, and its last message unsaid', async () => {
      const tab = await open('Hello.', 'And again.');
      await tab.say('Hi');
      await tab.approve('call_invented');
      expect(tab.types).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
      const late = new Tab(url, { generation, messages: tab.agent.messages.slice(0, 1) });
      await late.approve('call_invented');
      expect(late.texts).toEqual(['Hello.']);
      await tab.say('Once more');
      expect(tab.texts).toEqual(['Hello.', 'And again.']);
    });
  });
});
