import { Logger } from '@nestjs/common';
import { defined, thrownText } from '../../internal';
import type { AgentDepth } from '../../invocation';
import { isUnderWay } from '../../message';
import {
  NewerSessionError,
  type QueuedRun,
  SessionBusyError,
  SessionNotFoundError,
  type SessionState,
  type SessionStore,
  type WaitingRun,
} from '../../session';
import {
  type ActiveRuns,
  type RunLauncher,
  type RunSetup,
  type SessionWriter,
  type WorkerSetup,
} from '../execution';
import { discardedOf, endOpenCalls } from '../lookup';
import { endCalls, type LoopServices, OUTCOME_UNKNOWN, storedRequest } from '../loop';
import { isStoreAway, type RunContext, stopCauseOf } from '../context';
import {
  type ClaimedRun,
  factsOf,
  type JobDelay,
  type QueuedFacts,
  RunCaller,
  type RunClaims,
  type RunJob,
  type RunJobs,
} from '../queue';
import { hadWorker, isAbandoned, isForWorker, type NewEntry, type StoredJournal } from '../record';
import {
  type ChatResult,
  CredentialsRefusedError,
  QueueTimeoutError,
  ShuttingDownError,
  WorkersLostError,
} from '../request';
import { takenCalls } from './taken-calls';

/** Milliseconds until a job is retried whose session is locked or whose caller cannot log in. */
const AGAIN_MS = 1_000;

/** A run's stay in the queue, from a job or the store. */
type Stay = Pick<RunJob, 'runId' | 'sessionId' | 'attempt'>;

/** A run whose session this worker has locked. */
interface Taken {
  readonly job: RunJob;
  readonly journal: StoredJournal;
  readonly facts: QueuedFacts;
}

/** Takes up runs of one agent from their journals: new, continued or abandoned ones. */
export class RunTaker {
  private readonly logger = new Logger('AgentQueue');
  /** Whether the unavailable store is already logged: each run tries again every second. */
  private isOutageLogged = false;

  constructor(
    private readonly services: LoopServices,
    private readonly store: SessionStore,
    private readonly writer: SessionWriter,
    private readonly launcher: RunLauncher,
    private readonly active: ActiveRuns,
    private readonly claims: RunClaims,
    private readonly jobs: RunJobs,
    private readonly depth: AgentDepth,
  ) {}

  /** The further agent; `undefined` for the application's own. */
  get agent(): string | undefined {
    return this.services.options.agent;
  }

  /**
   * Takes up a run. Never rejects: failures are retried until the run has waited too long.
   *
   * @returns the delay of its job; `undefined` if it is done
   */
  async take(job: RunJob): Promise<JobDelay> {
    try {
      const delay = await this.active.counted((leave) => this.entered(job, leave));
      this.isOutageLogged = false;
      return delay;
    } catch (error) {
      if (error instanceof SessionNotFoundError) return undefined;
      if (error instanceof NewerSessionError) return this.services.options.leaseMs;
      const isAway = isStoreAway(error);
      const isTold =
        error instanceof SessionBusyError ||
        error instanceof ShuttingDownError ||
        (isAway && this.isOutageLogged);
      if (!isTold) this.logger.warn(`Run ${job.runId} could not be taken up: ${thrownText(error)}`);
      this.isOutageLogged ||= isAway;
      return AGAIN_MS;
    }
  }

  /** Ends a run that no worker took up in time. */
  async expire(waiting: WaitingRun): Promise<void> {
    const { sessionId, runId, attempt } = waiting;
    const row = await this.rowOf(waiting);
    if (row === undefined) return;
    const journal = await this.writer.take({ id: sessionId }, runId);
    if (!isInStay(waiting, journal.state)) return journal.release();
    const setup = this.setupOf(journal, row);
    if (isAbandoned(journal.state)) {
      // Its worker has just died: the run waits again, as long as a new run may.
      const queued = { type: 'run.queued', runId, attempt, isAbandoned: true } as const;
      await this.launcher.prepared(setup, (run) =>
        journal.close([...discardedOf(run, journal.draft), queued], run.release, row),
      );
      return;
    }
    await this.launcher.prepared(setup, (run) => this.fail(run, journal, new QueueTimeoutError()));
    await this.jobs.remove({ runId, attempt });
  }

  private async entered(job: RunJob, leave: () => void): Promise<JobDelay> {
    const { runId, sessionId } = job;
    const row = await this.rowOf(job);
    if (row === undefined) {
      leave();
      return undefined;
    }
    const journal = await this.writer.take({ id: sessionId }, runId);
    // A job has no authority: another agent would have other tools.
    if (journal.record.agent !== this.agent || !isInStay(job, journal.state)) {
      leave();
      await journal.release();
      return undefined;
    }
    const { model } = journal.state.run ?? {};
    if (!this.services.models.has(model)) {
      // Another release accepted the run: one of its workers has the model.
      this.logger.warn(`Run ${runId} waits for a worker with the model "${model}".`);
      leave();
      await journal.release();
      return this.services.options.leaseMs;
    }
    const worker: WorkerSetup = { queued: row };
    const setup = this.setupOf(journal, row, { worker, leave });
    return this.launcher.prepared(setup, async (run) => {
      await this.asCaller(run, worker, { job, journal, facts: factsOf(row.facts) });
      // Returned to the queue, or its end could not be stored.
      return isUnderWay(journal.state.run?.status) ? AGAIN_MS : undefined;
    });
  }

  /**
   * The stored data of a run's stay in the queue, which do not change during it. Read before the session
   * is locked: a late job must not refuse the owner's next message.
   */
  private async rowOf({ sessionId, ...stay }: Stay): Promise<QueuedRun | undefined> {
    const row = await this.store.queuedRun?.(sessionId);
    return row?.runId === stay.runId && row.attempt === stay.attempt ? row : undefined;
  }

  /** Executes the run as its caller. Temporary errors leave the run unchanged. */
  private async asCaller(
    run: RunContext,
    worker: WorkerSetup,
    taken: Taken,
  ): Promise<ChatResult | undefined> {
    const { job, journal, facts } = taken;
    const { runId, sessionId } = job;
    const claimed: ClaimedRun = defined({ runId, sessionId, principal: run.principal });
    try {
      const { takes = 0 } = journal.state.run?.queued ?? {};
      if (takes >= (this.jobs.queue?.maxAttempts ?? Infinity)) throw new WorkersLostError();
      // A job has no authority: the claim of an earlier stay in the queue could be opened as well.
      if (worker.queued.sealed !== job.sealed) {
        throw this.claims.refused(claimed, 'its job has another claim than the store');
      }
      if (job.sealed !== undefined) {
        const become = this.claims.open(job.sealed, claimed, this.agent);
        worker.caller = await RunCaller.from(become, run.abort.signal);
      }
    } catch (error) {
      const isOver =
        error instanceof CredentialsRefusedError ||
        error instanceof WorkersLostError ||
        stopCauseOf(run.abort.signal) === 'cancelled';
      if (isOver) return this.fail(run, journal, error);
      throw error;
    }
    const execute = () => this.depth.within(facts.depth, () => this.execute(run, taken));
    return worker.caller ? worker.caller.within(execute) : execute();
  }

  private async execute(run: RunContext, { journal, facts }: Taken): Promise<ChatResult> {
    const { state } = journal;
    const { runId } = run;
    const { steps = 0, queued } = state.run ?? {};
    // Read before this worker is the one that has the run.
    let wasExecuted = hadWorker(state);
    const isRecovered = isAbandoned(state) || queued?.again === 'abandoned';
    await journal.append(...discardedOf(run, journal.draft), { type: 'run.taken', runId });
    const attempt = (queued?.takes ?? 0) + 1;
    run.telemetry.measure(() => ({ type: 'queue.left', waitedMs: waitedMs(state), attempt }));
    try {
      const { runnable, unknown } = takenCalls(run, this.services.catalog, wasExecuted);
      const ended = unknown.map(({ call }) => ({ call, settlement: OUTCOME_UNKNOWN }));
      if (ended.length > 0) await endCalls(run, this.services.calls, ended);
      const request = await storedRequest(run, this.services, facts.toolChoice);
      wasExecuted = true;
      const active = this.launcher.launch(run, request, {
        approved: runnable,
        reason: isRecovered ? 'recovery' : steps > 0 ? 'resume' : 'start',
      });
      return await active.finished;
    } catch (error) {
      // A dead worker's events are already void.
      return this.fail(run, journal, error, { discarded: [], wasExecuted });
    }
  }

  /** Ends the run, or returns it to the queue if this process is closing. */
  private async fail(
    run: RunContext,
    journal: StoredJournal,
    error: unknown,
    {
      discarded = discardedOf(run, journal.draft),
      wasExecuted,
    }: { readonly discarded?: readonly NewEntry[]; readonly wasExecuted?: boolean } = {},
  ): Promise<ChatResult> {
    const isGivenBack = stopCauseOf(run.abort.signal) === 'suspended';
    if (!isGivenBack) await endOpenCalls(run, this.services, discarded, wasExecuted);
    return this.launcher.breakOff(run, error);
  }

  private setupOf(
    journal: StoredJournal,
    row: QueuedRun,
    more: Pick<RunSetup, 'worker' | 'leave'> = {},
  ): RunSetup {
    const { frontend, graceMs, frontendTools } = factsOf(row.facts);
    const { owner: principal, agent: agentName } = journal.record;
    return {
      journal,
      options: defined({ principal, frontend, graceMs }),
      tools: this.services.clientTools.restored(frontendTools),
      ...defined({ agentName }),
      ...more,
    };
  }
}

/** Whether the run is in this stay in the queue, or its worker died in it. */
function isInStay({ runId, attempt }: Stay, state: SessionState): boolean {
  const { run } = state;
  return run?.runId === runId && isForWorker(state) && run.queued?.attempt === attempt;
}

function waitedMs({ run }: SessionState): number {
  return Math.max(0, Date.now() - Date.parse(run?.queued?.at ?? ''));
}
