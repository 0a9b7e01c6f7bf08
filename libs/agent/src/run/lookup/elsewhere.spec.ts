import type { AgentEvent } from '../../message';
import { WorkerFleet } from '../fixtures/worker-fleet';

const ALICE = { principal: 'alice' };
const PAGE_TITLE = {
  name: 'page_title',
  description: 'The title of the page',
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
} as const;

describe("a browser's result for a run that passes from one worker to the next", () => {
  let fleet: WorkerFleet;
  beforeEach(() => (fleet = new WorkerFleet()));
  afterEach(() => fleet.close());

  const waiting = async () => {
    const web = await fleet.start('web');
    const calling = { toolCalls: [{ id: 'c', name: 'page_title' }] };
    const worker = await fleet.start('worker', { steps: [calling] });
    const input = { message: 'go', frontendTools: [PAGE_TITLE] };
    const run = await web.agent.start(input, { ...ALICE, frontend: 'wait' });
    const told: AgentEvent[] = [];
    for await (const event of run.events()) {
      told.push(event);
      if (event.type === 'frontend.call') break;
    }
    await worker.app.close();
    expect(await web.agent.run(run.runId, ALICE)).toMatchObject({ status: 'queued' });
    const { sessionId } = run;
    const delivered = (result: string, callId = 'c') =>
      web.agent.deliver({ sessionId, callId, result, ...ALICE });
    return { run, delivered };
  };

  it('is taken once, and the next one goes on with it', async () => {
    const { run, delivered } = await waiting();
    expect(await delivered('Home')).toBe(true);
    expect(await delivered('Other')).toBe(false);
    expect(await delivered('Home', 'unknown')).toBe(false);
    await fleet.start('worker', { steps: ['Done.'] });
    const result = await run.finished;
    expect(result).toMatchObject({ status: 'completed', message: 'Done.' });
    expect(result.toolCalls).toMatchObject([{ id: 'c', output: 'Home', isError: false }]);
  });
});
