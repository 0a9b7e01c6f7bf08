import type { ToolDefinition } from 'nestjs-agent';
import { Fleet, LONG_LEASE_MS } from '../fleet/fleet';
import { LEVEL_3 } from '../fleet/topology';

jest.setTimeout(180_000);

const PAGE_TITLE: ToolDefinition = {
  name: 'page_title',
  description: 'The title of the page',
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
};
const COMPLETED = { errors: [], end: { status: 'completed' } };

const OUTAGES: readonly [string, (fleet: Fleet) => unknown, (fleet: Fleet) => unknown][] = [
  ['killed', ({ redis }) => redis.kill(), ({ redis }) => redis.start()],
  ['paused', ({ redis }) => redis.pause(), ({ redis }) => redis.goOn()],
];

describe(`${LEVEL_3.name} whose Redis is away`, () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start(LEVEL_3, { leaseMs: LONG_LEASE_MS });
  });
  afterAll(() => fleet.close());

  it.each(OUTAGES)(
    '(%s) stop runs and take results as with the database alone, and keep new runs for later',
    async (_, begin, end) => {
      const [asking, stopped] = await Promise.all([
        fleet.run('ann', 'asking: page_title; say 2', { frontendTools: [PAGE_TITLE] }),
        fleet.run('ben', 'stopped: wait'),
      ]);
      const { callId } = await asking.next('frontend.call');
      await stopped.next('text.delta');
      await begin(fleet);

      const [delivered, cancelled, begun] = await Promise.all([
        (async () => {
          const delivery = { sessionId: asking.sessionId, callId, result: 'Orders' };
          const { body } = await fleet.request('ann', 'POST', '/chat/tool-result', delivery);
          return { success: body.success, told: await asking.toItsEnd() };
        })(),
        (async () => {
          const { body } = await fleet.request('ben', 'DELETE', `/runs/${stopped.runId}`);
          return body.status;
        })(),
        fleet.run('cid', 'later: say 2, write; say 2'),
      ]);
      expect(delivered).toMatchObject({ success: true, told: COMPLETED });
      expect(delivered.told.events).toContainEqual(
        expect.objectContaining({ type: 'tool.result', callId, output: 'Orders' }),
      );
      expect(cancelled).toBe('cancelled');
      expect((await stopped.toItsEnd()).end).toMatchObject({ status: 'cancelled' });

      const waiting = await fleet.request('cid', 'GET', `/runs/${begun.runId}`);
      expect(waiting.body.status).toBe('queued');
      const before = fleet.of('speaks', 'later').length;
      await end(fleet);
      expect(await begun.toItsEnd()).toMatchObject({ ...COMPLETED, text: '0.0 0.1 1.0 1.1 ' });
      const later = fleet.of('speaks', 'later').slice(before);
      expect(later.map(({ by }) => fleet.workers.includes(by))).toEqual([true, true]);
    },
  );
});

describe('processes of both roles whose Redis is away', () => {
  it('start new runs themselves', async () => {
    const fleet = await Fleet.start(
      { ...LEVEL_3, webs: 2, workers: 0 },
      { leaseMs: LONG_LEASE_MS, role: 'both' },
    );
    await fleet.redis.kill();
    const runs = await Promise.all(
      ['ann', 'ben', 'cid', 'dan'].map((user) => fleet.run(user, `${user}: say 2, write; say 2`)),
    );
    for (const run of runs) {
      expect(await run.toItsEnd()).toMatchObject({ ...COMPLETED, text: '0.0 0.1 1.0 1.1 ' });
    }
    expect(fleet.of('writes')).toHaveLength(runs.length);
    await fleet.close();
  });
});
