import { setTimeout as delay } from 'node:timers/promises';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import { OwnPostgres } from '../own-postgres';
import { newTag, WorkedRuns } from './worked-runs';
import { WorkerMachines } from './worker-machines';

jest.setTimeout(IS_THOROUGH ? 3_600_000 : 300_000);

const COUNT = 12;

describe('workers', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const started = async (
    options: Omit<Parameters<typeof WorkerMachines.start>[0], 'webs'> = {},
  ): Promise<WorkerMachines> => {
    const machines = await WorkerMachines.start({ webs: ['this', 'this'], ...options });
    closing.push(() => machines.close());
    await Promise.all([machines.worker(), machines.worker()]);
    return machines;
  };

  const LOSSES = roundsOf('redisLosses');

  it(`lose no run if Redis is killed and comes back empty, ${LOSSES} times`, async () => {
    const machines = await started();
    for (let round = 0; round < LOSSES; round += 1) {
      const tag = newTag();
      const spoken = machines.next((deed) => deed.tag.startsWith(tag) && deed.step === round % 4);
      const runs = await WorkedRuns.begin(machines, COUNT, { tag });
      // Some are under way, others wait.
      await spoken;
      await machines.redis.kill();
      if (round % 2 === 0) await delay(500);
      await machines.redis.start();
      await runs.expectWhole();
    }
  });

  const RESTARTS = roundsOf('postgresRestarts');

  it(`lose no run if PostgreSQL is restarted, ${RESTARTS} times`, async () => {
    const postgres = await OwnPostgres.start();
    closing.push(() => postgres.remove());
    const machines = await started({ databaseUrl: postgres.url });
    for (let round = 0; round < RESTARTS; round += 1) {
      const tag = newTag();
      const spoken = machines.next((deed) => deed.tag.startsWith(tag) && deed.step === round % 4);
      const runs = await WorkedRuns.begin(machines, COUNT, { tag });
      await spoken;
      await postgres.restart(round % 2 === 0 ? 'SIGQUIT' : 'SIGINT');
      // Streams that read from the store while it was away have ended, as if the run had failed.
      await (await runs.anew()).expectWhole();
    }
  });

  it('execute whole runs without Redis, with their queue in PostgreSQL', async () => {
    const machines = await started({ queue: 'postgres' });
    const tag = newTag();
    const writing = machines.next(({ kind, tag: of }) => of.startsWith(tag) && kind === 'writes');
    const runs = await WorkedRuns.begin(machines, COUNT, { tag });
    const { by } = await writing;
    await by.end('SIGKILL');
    await runs.expectWhole();
    // The one that is left is replaced.
    const next = newTag();
    const speaking = machines.next(({ tag: of }) => of.startsWith(next));
    const others = await WorkedRuns.begin(machines, COUNT, { tag: next, words: 20 });
    const last = await speaking;
    await machines.worker();
    await last.by.end('SIGTERM');
    await others.expectWhole();
  });
});
