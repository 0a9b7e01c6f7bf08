import { defined } from '../../internal';
import type { AgentDepth } from '../../invocation';
import type { QueuedRun, SessionEntry } from '../../session';
import type { RunContext } from '../context';
import {
  type ClaimedRun,
  priorityOf,
  type QueuedFacts,
  type RunClaims,
  type RunJobs,
  storedFacts,
} from '../queue';
import { beforeOf, type RunHandle, type RunOptions, type StartOptions } from '../request';
import type { QueuedRuns } from '../lookup';

/** The stored form of a worker's run, without its position in the queue. */
export type PassedRun = Omit<QueuedRun, 'attempt'>;

/** Passes runs on to workers: stores them with their caller's sealed claim, then adds the job. */
export class RunEnqueuer {
  constructor(
    private readonly options: RunOptions,
    private readonly jobs: RunJobs,
    private readonly claims: RunClaims,
    private readonly depth: AgentDepth,
    private readonly handles: QueuedRuns,
  ) {}

  /** Whether a worker can execute the run. Instances and tools of a call stay in its process. */
  accepts({ context = [], tools = [] }: StartOptions): boolean {
    return this.jobs.queue !== null && context.length === 0 && tools.length === 0;
  }

  /** @throws QueueFullError before anything is stored */
  admit(): Promise<void> {
    return this.jobs.admit();
  }

  /** @throws ClaimTooLargeError, and the errors of the application's `delegate` */
  async passed(
    run: ClaimedRun,
    { request, frontend = 'park', graceMs }: StartOptions,
    asked: Pick<QueuedFacts, 'toolChoice' | 'frontendTools'>,
  ): Promise<PassedRun> {
    const sealed = await this.claims.sealedFor(request, run);
    const facts = { ...asked, frontend, graceMs, depth: this.depth.of(request) };
    return defined({ runId: run.runId, sealed, facts: storedFacts(facts) });
  }

  /**
   * Stores the run's entries, releases the session, and adds the job.
   *
   * @param store writes the entries with others
   */
  async enqueue(
    run: RunContext,
    passed: PassedRun,
    options: StartOptions,
    store: (queued: SessionEntry, as: QueuedRun) => Promise<void>,
  ): Promise<RunHandle> {
    const { runId, sessionId = '', journal, emitter, telemetry } = run;
    const { lastSeq } = emitter;
    const attempt = (journal.state.run?.runId === runId ? attemptOf(run) : 0) + 1;
    const queued: QueuedRun = { ...passed, attempt };
    const requestedIn = telemetry.trace();
    await store({ type: 'run.queued', runId, attempt, ...defined({ requestedIn }) }, queued);
    emitter.end();
    const { agent } = this.options;
    const { sealed } = queued;
    const job = { runId, sessionId, attempt, ...defined({ agent, sealed }) };
    await this.jobs.add(job, priorityOf(run.principal, journal.outstanding ?? 0));
    const followed = { runId, sessionId, ...beforeOf(journal.state.run, lastSeq) };
    return this.handles.handleOf(followed, options);
  }
}

function attemptOf({ journal }: RunContext): number {
  return journal.state.run?.queued?.attempt ?? 0;
}
