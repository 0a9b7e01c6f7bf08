import { AgentCapabilitiesSchema } from '@ag-ui/core/schemas';
import { Barrier } from 'nestjs-agent/testing';
import { ADAPTERS, type AgentAppOptions, Closers } from './http/agent-app';
import { compressAll, wraps } from './http/surroundings';
import { Tab, type TabOptions } from './front-ends/ag-ui/tab';

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64');

describe.each(ADAPTERS)('AG-UI in applications on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  const open = async (options: AgentAppOptions, tab: TabOptions = {}) => {
    const { app, url, model } = await apps.open({ adapter, ...options });
    return { app, url, model, tab: new Tab(url, tab) };
  };

  it('has their prefix and path, and their cross-origin rules', async () => {
    const { tab } = await open(
      {
        path: 'assistant',
        steps: ['Hello.'],
        prepare: (app) => {
          app.setGlobalPrefix('api');
          app.enableCors({ origin: 'https://shop.example' });
        },
      },
      { path: '/api/assistant' },
    );
    await tab.say('Hi');
    expect(tab.texts).toEqual(['Hello.']);
    expect(tab.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(tab.headers.get('content-type')).toContain('text/event-stream');
  });

  it('streams piece by piece through compression', async () => {
    const gate = new Barrier();
    const { tab } = await open({
      steps: [
        [
          { type: 'text.delta', delta: 'One ' },
          gate,
          { type: 'text.delta', delta: 'two.' },
          { type: 'finish', reason: 'end_turn' },
        ],
      ],
      prepare: compressAll,
    });
    tab.add('Hi');
    // Only the previous chunk opens the gate.
    await tab.agent.runAgent({}, { onTextMessageContentEvent: () => gate.open() });
    expect(tab.texts).toEqual(['One two.']);
  });

  it('is not wrapped by an interceptor that wraps all answers', async () => {
    const { tab } = await open({
      steps: [{ toolCalls: [{ id: 'c1', name: 'read_note', input: { id: 1 } }] }, 'Milk.'],
      prepare: (app) => app.useGlobalInterceptors(wraps),
    });
    await tab.say('Read it');
    expect(tab.texts).toEqual(['Milk.']);
    expect(await tab.history()).toEqual(tab.agent.messages);
    expect(await (await tab.ask('capabilities')).json()).toHaveProperty('tools');
  });

  it('takes a history of 4 MiB, and no more', async () => {
    const { tab, model } = await open({ steps: ['Hello.', 'And again.'] });
    await tab.say('Hi');
    const result = { id: 'r', role: 'tool', toolCallId: 'c9', content: 'x'.repeat(4_000_000) };
    tab.agent.addMessage(result);
    await tab.say('Once more');
    expect(tab.texts).toEqual(['Hello.', 'And again.']);
    expect(JSON.stringify(model.requests)).not.toContain('xxxx');
    tab.agent.addMessage({ ...result, id: 'r2', content: 'x'.repeat(300_000) });
    expect((await tab.fails(tab.say('And more'))).message).toContain('HTTP 413');
  });

  it('ignores what it does not know of newer clients', async () => {
    const { tab } = await open(
      { steps: ['Hello.'] },
      {
        forge: ({ messages, ...input }) => ({
          ...input,
          protocolVersion: '2.7',
          novelty: { deep: [1] },
          state: { forged: true },
          forwardedProps: null,
          context: null,
          resume: null,
          messages: (messages as object[]).map((each) => ({ ...each, mood: 'happy' })),
        }),
      },
    );
    await tab.say('Hi');
    expect(tab.texts).toEqual(['Hello.']);
    expect(tab.events[0]).toMatchObject({ protocolVersion: '1.0' });
  });

  it('quotes the context of the page to the model', async () => {
    const { tab, model } = await open({ steps: ['Seventeen.'] });
    await tab.say('Which order?', { context: [{ description: 'The page', value: 'Order 17' }] });
    expect(JSON.stringify(model.requests[0])).toContain('The page: Order 17');
  });

  it.each([
    ['image', { type: 'image', source: { type: 'data', value: PNG, mimeType: 'image/png' } }],
    ['image', { type: 'binary', mimeType: 'image/png', data: PNG }],
    ['file', { type: 'document', source: { type: 'data', value: 'SGk=', mimeType: 'text/plain' } }],
    [
      'file',
      {
        type: 'document',
        source: { type: 'data', value: 'SGk=', mimeType: 'text/plain' },
        metadata: { filename: 'hi.txt' },
      },
    ],
  ])('hands a %s of the user to the model, and to the history', async (type, part) => {
    const { tab, model } = await open(
      { steps: ['A cat.', 'Still.'], seesAll: true },
      { generation: part.type === 'binary' ? '0.0.59' : '1.0.0' },
    );
    await tab.say([{ type: 'text', text: 'See?' }, part]);
    expect(model.requests[0]?.messages[0]?.content).toMatchObject([{ text: 'See?' }, { type }]);
    const [question] = (await tab.history()) as { content: object[] }[];
    expect(question?.content[0]).toEqual({ type: 'text', text: 'See?' });
    if (part.type !== 'binary') expect(question?.content[1]).toEqual(part);
    await tab.say('And now?');
    expect(tab.texts).toEqual(['A cat.', 'Still.']);
  });

  it('refuses no file for a name in its metadata that is too long or empty', async () => {
    const { tab } = await open({ steps: ['Seen.'], seesAll: true });
    const source = { type: 'data', value: 'SGk=', mimeType: 'text/plain' };
    const parts = ['a'.repeat(300), ''].map((filename) => ({
      ...{ type: 'document', source },
      metadata: { filename },
    }));
    await tab.say(parts);
    const [question] = (await tab.history()) as { content: object[] }[];
    expect(question?.content).toEqual([
      { type: 'document', source, metadata: { filename: 'a'.repeat(255) } },
      { type: 'document', source },
    ]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['messages', { messages: 'Hi' }],
    ['messages/0', { messages: ['Hi'] }],
    ['messages/0/content', { messages: [{ id: 'a', role: 'user', content: 7 }] }],
    [
      'messages/0/content/0/type',
      { messages: [{ id: 'a', role: 'user', content: [{ type: 'hologram' }] }] },
    ],
    [
      'messages/0/content/0/source/type',
      {
        messages: [
          { id: 'a', role: 'user', content: [{ type: 'image', source: { type: 'file' } }] },
        ],
      },
    ],
    ['runId', { runId: 7 }],
    ['tools', { tools: {} }],
    ['tools/0/name', { tools: [{ name: '' }] }],
    ['tools/0/parameters', { tools: [{ name: 'x', parameters: [] }] }],
    ['context', { context: Array.from({ length: 101 }, () => ({})) }],
    ['context/0/value', { context: [{ description: 'a', value: {} }] }],
    ['resume/0/status', { resume: [{ interruptId: 'c1', status: 'maybe' }] }],
    ['resume/0/interruptId', { resume: [{ status: 'cancelled' }] }],
    [
      'resume/0/payload/editedArgs',
      {
        resume: [
          { interruptId: 'c1', status: 'resolved', payload: { approved: true, editedArgs: 'x' } },
        ],
      },
    ],
    ['messages', { messages: [] }],
  ])('refuses a wrong %s by its name', async (field, wrong) => {
    const { url } = await open({});
    const body = {
      threadId: 'main',
      runId: 'r',
      messages: [{ id: 'a', role: 'user', content: 'Hi' }],
      ...wrong,
    };
    const response = await fetch(`${url}/agent/ag-ui`, {
      method: 'POST',
      headers: { authorization: 'Bearer alice', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { code: string; message: string[] };
    expect({ status: response.status, code: answer.code }).toEqual({
      status: 400,
      code: 'invalid_request',
    });
    expect(answer.message.join()).toMatch(new RegExp(`^${field} must`));
  });

  it.each([
    ['missing', undefined],
    ['a number', 7],
    ['empty', ''],
    ['too long', 'x'.repeat(257)],
  ])('refuses an id of a thread that is %s', async (_what, threadId) => {
    const { tab } = await open({}, { forge: (input) => ({ ...input, threadId }) });
    expect((await tab.fails(tab.say('Hi'))).message).toContain('HTTP 400');
  });

  it('refuses forms of other sites', async () => {
    const { url } = await open({});
    const body = new URLSearchParams({ threadId: 'main' });
    const response = await fetch(`${url}/agent/ag-ui`, { method: 'POST', body });
    expect(response.status).toBe(415);
  });

  it('tells each caller what the agent can do for them', async () => {
    const { url, tab } = await open({});
    const toolsOf = async (from: Tab): Promise<string[]> => {
      const told = (await (await from.ask('capabilities')).json()) as object;
      expect(AgentCapabilitiesSchema.parse(told)).toEqual(told);
      expect(told).toMatchObject({
        identity: { name: 'agent' },
        tools: { supported: true, clientProvided: true },
        humanInTheLoop: { approvals: true, interrupts: true, approveWithEdits: true },
        multimodal: { input: { image: false } },
      });
      const { items } = (told as { tools: { items: { name: string }[] } }).tools;
      return items.map(({ name }) => name);
    };
    expect(await toolsOf(tab)).toContain('hidden');
    const bob = await toolsOf(new Tab(url, { user: 'bob' }));
    expect(bob).not.toContain('hidden');
    expect(bob).toContain('add');
  });

  it('tells what keeps a request from beginning by its HTTP status', async () => {
    const gate = new Barrier();
    const { tab, url } = await open({ limits: { runsPerPrincipal: 1 }, steps: [[gate]] });
    const first = tab.say('Hi');
    await gate.reached;
    const other = new Tab(url, { threadId: 'other' });
    expect((await other.fails(other.say('Hi'))).message).toMatch(/HTTP 429.*too_many_runs/);
    await tab.ask('main/run', { method: 'DELETE' });
    await first;
  });

  it('is not served where it is switched off', async () => {
    const { tab } = await open({ protocols: { agUi: false } });
    expect((await tab.fails(tab.say('Hi'))).message).toContain('HTTP 404');
    expect((await tab.ask('capabilities')).status).toBe(404);
  });

  it('ends with an error where the application closes', async () => {
    const gate = new Barrier();
    const { app, tab } = await open({ steps: [[{ type: 'text.delta', delta: 'One ' }, gate]] });
    const run = tab.say('Hi');
    await gate.reached;
    await app.close();
    await run;
    expect(tab.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'shutdown' });
    expect(tab.streams.join('')).not.toMatch(/^(?!data: |$)/m);
  });

  it('lets nobody answer what has expired, and goes on', async () => {
    const { tab } = await open({
      steps: [{ toolCalls: [{ id: 'c1', name: 'remove_file', input: { name: 'late' } }] }, 'Hi.'],
    });
    await tab.say('Remove it');
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 40 * 86_400_000);
    await tab.approve('c1');
    clock.mockRestore();
    expect(tab.types).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
    expect(tab.outcome).toEqual({ type: 'success' });
    await tab.say('Hello');
    expect(tab.texts).toEqual(['Hi.']);
  });
});
