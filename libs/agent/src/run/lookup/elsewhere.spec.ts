import type { AgentEvent } from '../../message';
import { memoryStore } from '../../session';
import { agentFixture } from '../fixtures/agent-fixture';
import { DyingStore } from '../fixtures/dying.store';
import { WorkerFleet } from '../fixtures/worker-fleet';

const ALICE = { principal: 'alice' };
const LEASE_MS = 15_000;
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

it("a browser's result for the run of a dead process is not taken", async () => {
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const store = memoryStore();
  const dying = new DyingStore(store, Infinity, 'before');
  const steps = [{ toolCalls: [{ id: 'c', name: 'page_title' }] }];
  const here = await agentFixture({ store: dying.asStore(), steps, closeWithinMs: 10 });
  const there = await agentFixture({ store });
  const input = { message: 'go', frontendTools: [PAGE_TITLE] };
  const run = await here.agent.start(input, { ...ALICE, frontend: 'wait' });
  for await (const event of run.events()) if (event.type === 'frontend.call') break;
  dying.die();
  now += LEASE_MS + 1;
  const result = { ...ALICE, sessionId: run.sessionId, callId: 'c', result: 'Home' };
  expect(await there.agent.deliver(result)).toBe(false);
  await Promise.all([here.module.close(), there.module.close()]);
  jest.restoreAllMocks();
});
