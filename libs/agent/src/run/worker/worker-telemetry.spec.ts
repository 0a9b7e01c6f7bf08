import type { AgentTelemetry } from '../../telemetry';
import { WorkerFleet } from '../fixtures/worker-fleet';

const ALICE = { principal: 'alice' };
const BURN = { toolCalls: [{ name: 'burn' }] };

describe('the number of waiting runs of workers', () => {
  let fleet: WorkerFleet;
  beforeEach(() => (fleet = new WorkerFleet()));
  afterEach(() => fleet.close());

  it('falls when their answers are there', async () => {
    const told: string[] = [];
    const telemetry: AgentTelemetry = {
      event: ({ type }) => void told.push(type),
      measure: ({ type }) => void (type === 'wait.ended' && told.push(type)),
    };
    const web = await fleet.start('web', { telemetry });
    await fleet.start('worker', { telemetry, steps: [BURN, BURN, 'Burnt.'] });
    const asked = await web.agent.chat({ message: 'go' }, ALICE);
    const answersOf = ({ pendingActions: [action] }: typeof asked) => [
      { callId: action?.callId ?? '', type: 'approve' as const },
    ];
    const again = await web.agent.resolve(asked.runId, answersOf(asked), ALICE);
    const done = await web.agent.resolve(asked.runId, answersOf(again), ALICE);
    expect(done).toMatchObject({ status: 'completed' });
    const waits = told.filter((type) => ['parked', 'resumed', 'wait.ended'].includes(type));
    expect(waits).toEqual(['parked', 'resumed', 'parked', 'resumed']);
  });
});
