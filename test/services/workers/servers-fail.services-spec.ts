import { setTimeout as delay } from 'node:timers/promises';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import { OwnPostgres } from '../own-postgres';
import { Fleet } from '../fleet/fleet';
import { LEVEL_3, QUEUE_IN_POSTGRES, type Topology } from '../fleet/topology';
import { newTag, WorkedRuns } from '../fleet/worked-runs';

jest.setTimeout(IS_THOROUGH ? 3_600_000 : 300_000);

const COUNT = 12;

describe('workers', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const started = async (topology: Topology, databaseUrl?: string): Promise<Fleet> => {
    const fleet = await Fleet.start(topology, { ...(databaseUrl && { databaseUrl }) });
    closing.push(() => fleet.close());
    return fleet;
  };

  const LOSSES = roundsOf('redisLosses');

  it(`lose no run if Redis is killed and comes back empty, ${LOSSES} times`, async () => {
    const fleet = await started(LEVEL_3);
    for (let round = 0; round < LOSSES; round += 1) {
      const tag = newTag();
      const spoken = fleet.next((deed) => deed.tag.startsWith(tag) && deed.step === round % 4);
      const runs = await WorkedRuns.begin(fleet, COUNT, { tag });
      // Some are under way, others wait.
      await spoken;
      await fleet.redis.kill();
      if (round % 2 === 0) await delay(500);
      await fleet.redis.start();
      await runs.expectWhole();
    }
  });

  const RESTARTS = roundsOf('postgresRestarts');

  it.each([LEVEL_3, QUEUE_IN_POSTGRES])(
    `lose no run if PostgreSQL is restarted, ${RESTARTS} times: $name`,
    async (topology) => {
      const postgres = await OwnPostgres.start();
      closing.push(() => postgres.remove());
      const fleet = await started(topology, postgres.url);
      for (let round = 0; round < RESTARTS; round += 1) {
        const tag = newTag();
        const spoken = fleet.next((deed) => deed.tag.startsWith(tag) && deed.step === round % 4);
        const runs = await WorkedRuns.begin(fleet, COUNT, { tag });
        await spoken;
        await postgres.restart(round % 2 === 0 ? 'SIGQUIT' : 'SIGINT');
        await runs.expectWhole();
      }
    },
  );

  it('execute whole runs without Redis, with their queue in PostgreSQL', async () => {
    const fleet = await started(QUEUE_IN_POSTGRES);
    const tag = newTag();
    const writing = fleet.next(({ kind, tag: of }) => of.startsWith(tag) && kind === 'writes');
    const runs = await WorkedRuns.begin(fleet, COUNT, { tag });
    const { by } = await writing;
    await by.end('SIGKILL');
    await runs.expectWhole();
    // The one that is left is replaced.
    const next = newTag();
    const speaking = fleet.next(({ tag: of }) => of.startsWith(next));
    const others = await WorkedRuns.begin(fleet, COUNT, { tag: next, words: 20 });
    const last = await speaking;
    await fleet.worker();
    await last.by.end('SIGTERM');
    await others.expectWhole();
  });
});
