import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get, Injectable, Module, UseGuards, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { AgentModule, Tool, Toolkit } from 'nestjs-agent';
import { bullmqRuns, type BullmqRunsOptions } from 'nestjs-agent/bullmq';
import { sqlStore } from 'nestjs-agent/sql';
import { ScriptedModel } from 'nestjs-agent/testing';
import type { RunJob } from 'nestjs-agent/types';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import { databaseUrl, dropSchema, newSchemaName, runSql } from '../postgres';
import { redisUrl } from '../redis/server';
import { CANARY, linesWith } from '../fleet/canary';
import { Fleet, LONG_LEASE_MS } from '../fleet/fleet';
import type { Machine } from '../fleet/machine';
import type { StreamedRun } from '../fleet/streamed-run';
import { LEVEL_3, QUEUE_IN_POSTGRES } from '../fleet/topology';
import { newTag } from '../fleet/worked-runs';
import { jobsInPostgres, jobsInRedis, type StoredJobs } from './stored-jobs';

jest.setTimeout(IS_THOROUGH ? 600_000 : 120_000);

const FEW = roundsOf('refusals');
const COUNTS = { redis: 100, postgres: FEW } as const;
const TOPOLOGIES = { redis: LEVEL_3, postgres: QUEUE_IN_POSTGRES } as const;
const isWarning = (line: string): boolean => line.includes(' WARN [AgentSecurity] Run run_');
const REFUSED = { end: { status: 'failed' }, errors: ['credentials_refused'] };

describe.each(['redis', 'postgres'] as const)('workers with a queue on %s', (queue) => {
  let fleet: Fleet;
  let redis: Redis | undefined;
  let jobs: StoredJobs;
  const count = COUNTS[queue];
  const workers: Machine[] = [];

  beforeAll(async () => {
    fleet = await Fleet.start(
      { ...TOPOLOGIES[queue], webs: 1, workers: 0 },
      { leaseMs: LONG_LEASE_MS },
    );
    if (queue === 'redis') redis = new Redis(fleet.redis.url);
    jobs = redis ? jobsInRedis(redis) : jobsInPostgres(`${fleet.schema}_jobs`);
  });
  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.end('SIGTERM'))));
  afterAll(async () => {
    redis?.disconnect();
    await fleet.close();
  });

  const begun = (tag: string, count: number, userOf: (index: number) => string) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        fleet.run(userOf(index), `${tag}${index}: look; unlock; write`),
      ),
    );

  const jobsOf = async (runs: readonly StreamedRun[]): Promise<readonly RunJob[]> => {
    const all = new Map((await jobs.all()).map((job) => [job.runId, job]));
    return runs.map(({ runId }) => {
      const job = all.get(runId);
      if (job?.sealed === undefined) throw new Error(`Run ${runId} has no job with a claim.`);
      return job;
    });
  };

  /** Also changes every second claim in the store, so that only the encryption can detect it. */
  const putAll = async (changed: readonly RunJob[]): Promise<void> => {
    for (const [index, job] of changed.entries()) {
      await jobs.put(job);
      if (index % 2 === 0) continue;
      const put = `update ${fleet.schema}.agent_queued set sealed = $1 where run_id = $2`;
      await runSql(put, [job.sealed, job.runId]);
    }
  };

  /** All were refused without a call, and the log names the reason. */
  const expectRefused = async (
    tag: string,
    runs: readonly StreamedRun[],
    why: string | RegExp,
  ): Promise<void> => {
    const ends = await Promise.all(runs.map((run) => run.toItsEnd()));
    for (const [index, run] of runs.entries()) {
      expect(ends[index]).toMatchObject(REFUSED);
      const lines = fleet.logs.filter((line) => isWarning(line) && line.includes(run.runId));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(why);
    }
    expect(fleet.deeds.filter((deed) => deed.tag.startsWith(tag))).toEqual([]);
  };

  it('refuse claims that are late', async () => {
    const tag = newTag();
    const late = await begun(tag, FEW, (index) => `late-${index}`);
    workers.push(await fleet.worker({ aheadMs: 2 * 3_600_000 }));
    await expectRefused(tag, late, 'its sealed claim does not open');
  });

  it('refuse claims that were swapped or changed, credentials of others, and users who were locked out', async () => {
    const tags = [newTag(), newTag(), newTag(), newTag(), newTag()] as const;
    const [swappedTag, changedTag, othersTag, formerTag, ownTag] = tags;
    const swapped = await begun(swappedTag, count, (index) => `user-${index % 5}`);
    const changed = await begun(changedTag, FEW, (index) => `user-${index % 5}`);
    const others = await begun(othersTag, FEW, (index) => `as-user-${index}`);
    const former = await begun(formerTag, count, (index) => `former-${index}`);
    const own = await begun(ownTag, FEW, (index) => `user-${index}`);

    const asQueued = await jobsOf(swapped);
    const next = (index: number): RunJob | undefined => asQueued[(index + 1) % count];
    await putAll(asQueued.map((job, index) => ({ ...job, sealed: next(index)?.sealed ?? '' })));
    await putAll((await jobsOf(changed)).map(withAnotherCharacter));
    fleet.revoke(...former.map((_, index) => `former-${index}`));

    workers.push(await fleet.worker({ concurrency: 50 }));
    await expectRefused(swappedTag, swapped, /claim does not open|another claim than the store/);
    await expectRefused(changedTag, changed, /claim does not open|another claim than the store/);
    await expectRefused(othersTag, others, 'its credential is of another principal');
    for (const run of own) {
      expect(await run.toItsEnd()).toMatchObject({ end: { status: 'completed' }, errors: [] });
    }
    // Their readers are refused as well.
    const isLogged = ({ runId }: StreamedRun): boolean =>
      fleet.logs.some(
        (line) => isWarning(line) && line.includes(`${runId} was refused: the guards`),
      );
    while (!former.every(isLogged)) await delay(20);
    expect(fleet.deeds.filter(({ tag }) => tag.startsWith(formerTag))).toEqual([]);
    expect(fleet.of('wrote', ownTag)).toHaveLength(FEW);
    // A slow worker's successor reads again.
    for (const kind of ['looks', 'unlocks'] as const) {
      expect(new Set(fleet.of(kind, ownTag).map(({ tag }) => tag)).size).toBe(FEW);
    }
    expect(linesWith(CANARY, fleet.logs)).toEqual([]);
  });
});

/** Changes one character of each claim, at varying positions. */
function withAnotherCharacter(job: RunJob, index: number): RunJob {
  const { sealed = '' } = job;
  // The last character has unused bits.
  const place = (index * 7) % (sealed.length - 1);
  const other = sealed[place] === 'A' ? 'B' : 'A';
  return { ...job, sealed: sealed.slice(0, place) + other + sealed.slice(place + 1) };
}

@Injectable()
class AnyGuard {
  canActivate(): boolean {
    return true;
  }
}

@Toolkit({ description: 'Open' })
@Injectable()
class OpenTools {
  @Tool({ description: 'Without a guard' })
  open(): string {
    return 'open';
  }
}

@Toolkit({ description: 'Guarded' })
@Injectable()
class GuardedTools {
  @Tool({ description: 'With a guard' })
  @UseGuards(AnyGuard)
  guarded(): string {
    return 'guarded';
  }
}

@Controller('orders')
class OrdersController {
  @Get()
  @Tool({ name: 'orders', description: 'A route' })
  list(): string {
    return 'none';
  }
}

describe('without credentials', () => {
  const schema = newSchemaName();
  const { hostname: host, port, pathname } = new URL(redisUrl());
  const db = Number(pathname.slice(1) || 0);
  const runs: BullmqRunsOptions = { connection: { host, port: Number(port || 6379), db } };
  afterAll(() => dropSchema(schema));

  /** Boots a process, and closes it. */
  async function boot(
    options: Pick<BullmqRunsOptions, 'role' | 'credentials'>,
    providers: readonly Type[],
    controllers: readonly Type[] = [],
  ): Promise<void> {
    @Module({
      imports: [
        AgentModule.forRoot({
          model: new ScriptedModel([]),
          runs: bullmqRuns({ ...runs, ...options, prefix: schema }),
          sessions: { store: sqlStore({ connectionString: databaseUrl(), schema }) },
        }),
      ],
      providers: [...providers],
      controllers: [...controllers],
    })
    class AppModule {}
    const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
    try {
      await app.init();
    } finally {
      await app.close();
    }
  }

  describe.each(['web', 'worker', 'both'] as const)('a process of the role %s', (role) => {
    it('does not boot with a tool of a provider that has a guard, or a route', async () => {
      await expect(boot({ role }, [OpenTools, GuardedTools])).rejects.toMatchObject({
        code: 'invalid_options',
        message: expect.stringMatching(/runs needs credentials.* the caller: guarded\. Set/),
      });
      await expect(boot({ role }, [], [OrdersController])).rejects.toMatchObject({
        message: expect.stringMatching(/runs needs credentials.* the caller: orders\. Set/),
      });
    });

    it("boots with tools that need no caller, and if it is told 'none'", async () => {
      await boot({ role }, [OpenTools]);
      await boot({ role, credentials: 'none' }, [GuardedTools], [OrdersController]);
    });
  });
});
