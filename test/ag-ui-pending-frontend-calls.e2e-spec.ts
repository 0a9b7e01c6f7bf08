import { Closers, PAGE_TITLE } from './http/agent-app';
import { GENERATIONS } from './front-ends/ag-ui/clients';
import { Tab } from './front-ends/ag-ui/tab';

const { name, description, input_schema: parameters } = PAGE_TITLE;

describe.each(GENERATIONS)('a run that waits for the page, with AG-UI %s', (generation) => {
  const closers = new Closers();
  afterEach(() => closers.close());

  it('does not end as a success with nothing left to do', async () => {
    const { url } = await closers.open({ steps: [{ toolCalls: [{ name, input: {} }] }] });
    const tab = new Tab(url, { generation });
    tab.agent.addMessage({ id: 'u1', role: 'user', content: 'Where am I?' });
    await tab.agent.runAgent({ tools: [{ name, description, parameters }] });

    const [waiting] = tab.agent.messages.flatMap(({ toolCalls = [] }) => toolCalls);
    expect(tab.events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(tab.events.at(-1)?.outcome).toEqual(
      generation === '1.0.0' ? { type: 'success', pendingToolCallIds: [waiting?.id] } : undefined,
    );
  });
});
