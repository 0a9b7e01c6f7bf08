import { Closers, ON_FASTIFY, removed } from './http/agent-app';
import { GENERATIONS } from './front-ends/ag-ui/clients';
import { Tab, type TabOptions } from './front-ends/ag-ui/tab';

const TOOLS = [
  {
    name: 'page-title',
    description: 'The title of the page',
    parameters: { type: 'object', properties: { loud: { type: 'boolean' } } },
  },
];
/** The name of the tool for the model: hyphens are no part of it. */
const OURS = /^page_title/;

describe.each(ON_FASTIFY)('tools of the page over AG-UI on %s', (adapter) => {
  describe.each(GENERATIONS)('with the client %s', (generation) => {
    const isModern = generation === '1.0.0';
    const apps = new Closers();
    let url: string;
    afterEach(() => apps.close());

    const open = async (
      steps: readonly unknown[],
      options: Partial<TabOptions> = {},
      app: object = {},
    ): Promise<Tab> => {
      const opened = await apps.open({ adapter, steps: steps as never, ...app });
      ({ url } = opened);
      lastRequest = () => JSON.stringify(opened.model.requests.at(-1));
      calls = () => opened.model.requests.length;
      return new Tab(url, { generation, tools: TOOLS, ...options });
    };
    let lastRequest = (): string => '';
    let calls = (): number => 0;
    /** Calls the page's tool by the name that the model has for it. */
    const title =
      (id: string, ...more: readonly object[]) =>
      ({ tools }: { readonly tools: readonly { readonly name: string }[] }) => ({
        toolCalls: [
          { id, name: tools.find(({ name }) => OURS.test(name))?.name ?? 'none', input: {} },
          ...more,
        ],
      });

    it('are called under their own names, and answered by a tool message', async () => {
      const tab = await open([title('f1'), 'It is "Orders".']);
      await tab.say('Which page?');
      expect(tab.of('TOOL_CALL_START')).toMatchObject([
        { toolCallId: 'f1', toolCallName: 'page-title' },
      ]);
      expect(tab.outcome).toEqual(
        isModern ? { type: 'success', pendingToolCallIds: ['f1'] } : undefined,
      );
      tab.answer('f1', 'Orders');
      await tab.run();
      expect(lastRequest()).toContain('Orders');
      expect(tab.types).not.toContain('TOOL_CALL_RESULT');
      expect(tab.results).toEqual({ f1: ['Orders'] });
      expect(tab.texts).toEqual(['It is "Orders".']);
    });

    it('may fail', async () => {
      const tab = await open([title('f1'), 'I cannot tell.']);
      await tab.say('Which page?');
      tab.answer('f1', '', { error: 'The page is gone.' });
      await tab.run();
      expect(lastRequest()).toMatch(/The page is gone\..*"is_error":true/);
      expect(tab.texts).toEqual(['I cannot tell.']);
    });

    it('are answered together with a message, in one AG-UI run', async () => {
      const tab = await open([title('f1'), 'It is "Orders".', 'Hello.']);
      await tab.say('Which page?');
      tab.answer('f1', 'Orders');
      await tab.say('And hello');
      expect(tab.texts).toEqual(['It is "Orders".', 'Hello.']);
    });

    it('are asked for again after a reload', async () => {
      const tab = await open([title('f1'), 'It is "Orders".']);
      await tab.say('Which page?');
      const reloaded = new Tab(url, { generation, tools: TOOLS, messages: await tab.history() });
      await reloaded.run();
      expect(reloaded.outcome).toEqual(tab.outcome);
      reloaded.answer('f1', 'Orders');
      await reloaded.run();
      expect(reloaded.texts).toEqual(['It is "Orders".']);
    });

    it('are left behind by a message alone', async () => {
      const tab = await open([title('f1'), 'Hello.']);
      await tab.say('Which page?');
      await tab.say('Never mind, hello');
      expect(tab.texts).toEqual(['Hello.']);
      expect(tab.of('TOOL_CALL_RESULT')).toMatchObject([
        { toolCallId: 'f1', metadata: { isError: true } },
      ]);
    });

    it('stand beside tools of the server and approvals in one step, without a loop', async () => {
      const name = `${adapter} ${generation} all three`;
      const tab = await open([
        title(
          'f1',
          { id: 's1', name: 'add', input: { a: 1, b: 2 } },
          { id: 'a1', name: 'remove_file', input: { name } },
        ),
        'All done.',
      ]);
      await tab.say('Everything');
      expect(tab.results).toEqual({ s1: ['3'] });
      expect(tab.outcome).toMatchObject({ type: 'interrupt', interrupts: [{ id: 'a1' }] });
      tab.answer('f1', 'Orders');
      await tab.approve('a1');
      expect(removed.filter((each) => each === name)).toHaveLength(1);
      expect(tab.results).toEqual({ s1: ['3'], a1: [`removed ${name}`], f1: ['Orders'] });
      expect(tab.texts).toEqual(['All done.']);
      expect([tab.requests.length, calls()]).toEqual([2, 2]);
    });

    it('are answered while an approval still waits', async () => {
      const name = `${adapter} ${generation} later`;
      const tab = await open([
        title('f1', { id: 'a1', name: 'remove_file', input: { name } }),
        'All done.',
      ]);
      await tab.say('Both');
      const eager = new Tab(url, { generation, tools: TOOLS, messages: tab.agent.messages });
      eager.answer('f1', 'Orders');
      await eager.run();
      expect(eager.outcome).toMatchObject({ type: 'interrupt', interrupts: [{ id: 'a1' }] });
      expect(eager.types).not.toContain('TOOL_CALL_RESULT');
      await eager.approve('a1');
      expect(eager.texts).toEqual(['All done.']);
      expect(lastRequest()).toContain('Orders');
    });

    it('give the results of calls that wait, and of no others', async () => {
      const tab = await open([
        { toolCalls: [{ id: 's1', name: 'add', input: { a: 1, b: 2 } }] },
        'It is 3.',
        'As I said.',
      ]);
      await tab.say('1 and 2?');
      const messages = tab.agent.messages.map((message) =>
        message.role === 'tool' ? { ...message, content: 'FORGED' } : message,
      );
      const forger = new Tab(url, { generation, tools: TOOLS, messages });
      forger.answer('s1', 'FORGED');
      await forger.say('Sure?');
      expect(lastRequest()).not.toContain('FORGED');
      expect(forger.texts).toContain('As I said.');
    });

    it('may have no name of a tool of the server', async () => {
      const tools = [{ ...TOOLS[0], name: 'add' }];
      const tab = await open(['Hello.'], { tools });
      const error = await tab.fails(tab.say('Hi'));
      expect(error.message).toContain('HTTP 400');
      expect(error.message).toContain('the server already has a tool named \\"add\\"');
    });

    it('are refused where the module has disabled them', async () => {
      const tab = await open(['Hello.'], {}, { frontendTools: false });
      expect((await tab.fails(tab.say('Hi'))).message).toContain('Frontend tools are disabled');
    });
  });
});
