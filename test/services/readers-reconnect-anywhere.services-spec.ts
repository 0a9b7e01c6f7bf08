import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { AgentEvent } from 'nestjs-agent';
import { IS_THOROUGH, roundsOf } from './failure-rounds';
import { Fleet, LONG_LEASE_MS } from './fleet/fleet';
import { LEVELS } from './fleet/topology';

jest.setTimeout(IS_THOROUGH ? 600_000 : 180_000);

const READERS = roundsOf('reconnects');
/** A word, a wait, a second one, and a step after the tool. */
const ORDERS = 'say 2, wait, write; say 1';
const WHOLE_TEXT = '0.0 0.1 1.0 ';

describe.each(LEVELS)('with $name, a reader who comes back to another process', (topology) => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start(topology, { leaseMs: LONG_LEASE_MS });
  });
  afterAll(() => fleet.close());

  it(`hears the whole text and nothing twice, ${READERS} of ${READERS}, and 204 once nothing follows`, async () => {
    const users = Array.from({ length: READERS }, (_, index) => `user-${index}`);
    const begun = await Promise.all(
      users.map(async (user, index) => {
        const run = await fleet.run(user, `again-${index}: ${ORDERS}`);
        // Some have received text when they disconnect.
        if (index % 2) await run.next('text.delta');
        run.leave();
        return { user, run };
      }),
    );
    while (fleet.of('speaks', 'again').length < READERS) await delay(20);
    // Some come back while the model waits, others only once it is over.
    const early = begun.flatMap(({ run }, index) => (index % 3 ? [run.toItsEnd()] : []));
    await delay(500);
    await fleet.go();
    await Promise.all(early);
    const ends = await Promise.all(begun.map(({ run }) => run.toItsEnd()));
    for (const { text, end, events } of ends) {
      expect(text).toBe(WHOLE_TEXT);
      expect(end).toMatchObject({ status: 'completed' });
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    }
    const again = await Promise.all(
      begun.flatMap(({ user, run: { runId } }, index) =>
        fleet.webs.map(async (web) => {
          const told = ends[index]?.events;
          const [over, whole] = await Promise.all([
            fleet.events(user, runId, told?.length ?? 0, web),
            fleet.events(user, runId, 0, web),
          ]);
          return { status: over.status, isSame: (await whole.all()).length === told?.length };
        }),
      ),
    );
    expect(again).toEqual(again.map(() => ({ status: 204, isSame: true })));
    expect(fleet.of('writes', 'again')).toHaveLength(READERS);
  });

  it('hears 204 for a waiting run it knows all of, and what goes on of it elsewhere', async () => {
    const stream = await fleet.stream('alice', { message: 'asks: remove' });
    const before = await stream.all();
    const { runId } = before[0] ?? { runId: '' };
    const rest = (after: number) =>
      Promise.all(fleet.webs.map((web) => fleet.events('alice', runId, after, web)));
    for (const { status } of await rest(before.length)) expect(status).toBe(204);
    const actions = [{ callId: callOf(before), type: 'approve' }];
    const approved = await fleet.request('alice', 'POST', `/runs/${runId}/actions`, { actions });
    expect(approved.body).toMatchObject({ status: 'completed' });
    const told = await Promise.all((await rest(before.length)).map((each) => each.all()));
    const [after = []] = told;
    expect(after.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' });
    expect(after.map(({ seq }) => seq)).toEqual(after.map((_, i) => before.length + i + 1));
    for (const each of told) expect(each).toEqual(after);
    for (const { status } of await rest(after.at(-1)?.seq ?? 0)) expect(status).toBe(204);
  });

  if (topology.bus) {
    it('needs one subscriber connection of each process, however many there are', async () => {
      const redis = new Redis(fleet.redis.url);
      const runs = await Promise.all(
        Array.from({ length: 20 }, (_, index) => fleet.run(`user-${index}`, 'many: say 2, wait')),
      );
      await Promise.all(runs.map((run) => run.next('text.delta')));
      const readers = await Promise.all(
        runs.flatMap(({ runId }, index) =>
          fleet.webs.map((web) => fleet.events(`user-${index}`, runId, 0, web)),
        ),
      );
      await Promise.all(readers.map((reader) => reader.next('text.delta')));
      const clients = String(await redis.client('LIST', 'TYPE', 'PUBSUB'))
        .trim()
        .split('\n');
      expect(clients).toHaveLength(topology.webs + topology.workers);
      const channels = clients.map((client) => Number(/ sub=(\d+)/.exec(client)?.[1]));
      expect(Math.max(...channels)).toBeGreaterThanOrEqual(20);
      await fleet.go();
      for (const run of runs) expect(await run.toItsEnd()).toMatchObject({ errors: [] });
      redis.disconnect();
    });
  }

  if (topology.queue) return;

  it('is told of a dead process’s run as failed, and stands in nobody’s way', async () => {
    const dying = await fleet.web();
    const stream = await fleet.stream('alice', { message: 'dies: wait' }, dying);
    const { sessionId, runId } = await stream.next('run.started');
    await stream.next('text.delta');
    const heard = stream.events.length;
    await dying.end('SIGKILL');
    const rest = await (await fleet.events('alice', runId, heard)).all();
    expect(rest.slice(-2)).toMatchObject([
      { type: 'error', code: 'interrupted' },
      { type: 'run.finished', status: 'failed' },
    ]);
    const ask = (path: string) => fleet.request('alice', 'GET', path);
    expect(await ask(`/runs/${runId}`)).toMatchObject({ body: { status: 'failed' } });
    const listed = JSON.stringify((await ask('/sessions')).body);
    expect(listed).toContain(`{"runId":"${runId}","status":"failed"}`);
    // Reading takes no lease, so concurrent writers are not refused.
    for (let turn = 0; turn < 10; turn += 1) {
      const [, answer] = await Promise.all([
        Promise.all(Array.from({ length: 5 }, () => ask(`/runs/${runId}`))),
        fleet.request('alice', 'POST', '/chat', { message: 'alive: say 1', sessionId }),
      ]);
      expect(answer.status).toBe(200);
    }
    expect(await (await fleet.events('alice', runId, heard)).all()).toEqual(rest);
  });
});

function callOf(events: readonly AgentEvent[]): string {
  const asked = events.find(({ type }) => type === 'approval.required');
  if (asked?.type !== 'approval.required') throw new Error('Nothing waits for an approval.');
  return asked.callId;
}
