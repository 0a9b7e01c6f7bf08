import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { defined, outsideRequests, settledWithin, thrownText } from '../../internal';
import { GuardProbe } from '../../invocation';
import { ToolRegistry } from '../../registry';
import {
  NewerSessionError,
  SessionBusyError,
  SessionNotFoundError,
  type SessionStore,
  type WaitingRun,
} from '../../session';
import { AgentError } from '../../tool';
import {
  CALLER_GATE,
  type CallerGate,
  type JobDelay,
  prioritiesOf,
  RUN_JOB_VERSION,
  type RunJob,
  RunJobs,
  type RunQueue,
  type RunWorker,
} from '../queue';
import { isStoreAway } from '../context';
import { RUN_OPTIONS, RUN_STORE, type RunOptions } from '../request';
import { LocalRuns } from './local-runs';
import { RunTakers } from './run-takers';

/** Milliseconds between two sweeps. */
const SWEEP_MS = 15_000;
/** Milliseconds that a shutdown waits for a sweep. */
const SWEEP_END_MS = 1_000;
const PAGE = 500;

/** What a run's place in the queue follows from. */
interface CountedRun {
  readonly runId: string;
  readonly owner: string | undefined;
  /** When it was queued, by `performance.now()`. */
  readonly since: number;
}

/** This process as a client of the queue: opens it, executes jobs, and adds jobs that it lost. */
@Injectable()
export class WorkerProcess
  implements RunWorker, OnModuleInit, OnApplicationBootstrap, OnModuleDestroy
{
  readonly lockMs: number;
  private readonly logger = new Logger('AgentQueue');
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private isClosing = false;

  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(RUN_STORE) private readonly store: SessionStore,
    private readonly jobs: RunJobs,
    private readonly takers: RunTakers,
    private readonly registry: ToolRegistry,
    @Optional() private readonly probe?: GuardProbe,
    @Optional() @Inject(CALLER_GATE) private readonly gate?: CallerGate,
  ) {
    this.lockMs = options.leaseMs;
    const local = new LocalRuns(jobs.queue?.concurrency, (job) => this.work(job));
    jobs.onLost((job) => outsideRequests(() => local.add(job)));
  }

  onModuleInit(): void {
    if (this.jobs.queue === null || (this.store.queuedRuns && this.store.queuedRun)) return;
    throw new AgentError(
      'invalid_options',
      'runs needs a session store that keeps queued runs. This one has no methods queuedRuns() and queuedRun().',
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    const { queue } = this.jobs;
    if (queue === null) return;
    this.checkCredentials(queue);
    await queue.open();
    if (queue.role !== 'web') outsideRequests(() => queue.start(this));
    this.timer = outsideRequests(() => setInterval(() => this.sweepSoon(), SWEEP_MS).unref());
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.timer);
    // A hanging store or queue must not delay the shutdown.
    if (this.sweeping) await settledWithin(this.sweeping, SWEEP_END_MS);
  }

  async work(job: RunJob): Promise<JobDelay> {
    const taker = this.takers.of(job.agent);
    // A process of another release may have this agent.
    if (taker === undefined || job.v > RUN_JOB_VERSION) return this.options.leaseMs;
    return taker.take(job);
  }

  /** Adds jobs that the queue has lost, and ends runs that no worker took up in time. */
  async sweep(): Promise<void> {
    const counted: CountedRun[] = [];
    const lost: RunJob[] = [];
    let after: string | undefined;
    for (;;) {
      const page = { limit: PAGE, ...(after !== undefined && { after }) };
      const runs = (await this.store.queuedRuns?.(page)) ?? [];
      const isLate = (run: WaitingRun): boolean =>
        !run.isHeld && run.waitedMs > this.options.queueTimeoutMs;
      for (const run of runs.filter(isLate)) {
        if (this.isClosing) return;
        await this.expire(run);
      }
      const inTime = runs.filter((run) => !isLate(run));
      counted.push(...inTime.map(countedRun));
      // Skips held runs: their process is active.
      const jobs = inTime.filter(({ isHeld }) => !isHeld).map(jobOf);
      if (jobs.length > 0) lost.push(...(await this.jobs.missing(jobs)));
      if (runs.length < PAGE || this.isClosing) break;
      after = runs.at(-1)?.sessionId;
    }
    if (lost.length > 0) await this.addAgain(lost, counted);
  }

  /** @param counted all runs: the pages of the store have another order than the queue */
  private async addAgain(lost: readonly RunJob[], counted: readonly CountedRun[]): Promise<void> {
    const places = prioritiesOf(counted.toSorted((a, b) => a.since - b.since));
    for (const job of lost) {
      if (this.isClosing) return;
      await this.jobs.add(job, places.get(job.runId) ?? 0);
    }
  }

  /** One sweep at a time; a slow one replaces those that were due meanwhile. */
  private sweepSoon(): void {
    this.sweeping ??= this.sweep()
      .catch((error: unknown) => {
        this.logger.warn(`Queued runs could not be looked through: ${thrownText(error)}`);
      })
      .finally(() => (this.sweeping = undefined));
  }

  private async expire(run: WaitingRun): Promise<void> {
    try {
      // A deployment may have removed the agent: then no process would end the run.
      await this.takers.ofAny(run.agent)?.expire(run);
    } catch (error) {
      // The session was removed, or another process handles it.
      const isLeft =
        error instanceof SessionBusyError ||
        error instanceof SessionNotFoundError ||
        error instanceof NewerSessionError;
      if (isLeft) return;
      if (isStoreAway(error)) throw error;
      // One failing run must not block the others.
      this.logger.warn(`Run ${run.runId} could not be ended: ${thrownText(error)}`);
    }
  }

  /** @throws AgentError if a tool needs the caller and no credentials are configured */
  private checkCredentials({ credentials }: RunQueue): void {
    if (credentials === 'none') return;
    if (credentials !== undefined) {
      const reason = this.gate ? this.gate.unavailability() : 'no agent of this process is served';
      if (reason === undefined) return;
      throw new AgentError(
        'invalid_options',
        `credentials of runs need the endpoints of the agent, whose guards let a worker in: ${reason}. Give the agent a path, or set credentials: 'none'.`,
      );
    }
    const needing = this.registry
      .tools()
      .filter((tool) => tool.kind === 'route' || this.probe?.isGuarded(tool))
      .map(({ definition }) => definition.name);
    if (needing.length === 0) return;
    const others = needing.length > 3 ? ` and ${needing.length - 3} more` : '';
    throw new AgentError(
      'invalid_options',
      `runs needs credentials, because workers execute tools that need the caller: ${needing.slice(0, 3).join(', ')}${others}. Set credentials: { delegate, redeem, secrets }, or 'none' if they work without a login.`,
    );
  }
}

function countedRun({ runId, owner, waitedMs }: WaitingRun): CountedRun {
  return { runId, owner, since: performance.now() - waitedMs };
}

function jobOf({ runId, sessionId, attempt, agent, sealed }: WaitingRun): RunJob {
  return defined({ v: RUN_JOB_VERSION, runId, sessionId, attempt, agent, sealed });
}
