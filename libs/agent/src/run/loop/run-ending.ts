import { Logger } from '@nestjs/common';
import { thrownText } from '../../internal';
import {
  textMessage,
  type AgentEventBody,
  type PendingAction,
  type RunStatus,
  type StopReason,
  type Usage,
} from '../../message';
import type { QueuedRun, SessionEntry, StoredFailure } from '../../session';
import type { RunFailure } from '../request';
import type { NewEntry } from '../record';
import {
  type AwaitedAction,
  INTERNAL_FAILURE,
  isStoreAway,
  LEASE_LOST_FAILURE,
  runOriginOf,
  type RunContext,
  runFailureOf,
  STOP_OUTCOME,
  type StopCause,
  stopCauseOf,
} from '../context';

/** The outcome of a run, or of its part up to a wait. */
export interface RunOutcome {
  readonly status: RunStatus;
  readonly stopReason: StopReason;
  readonly message: string;
  readonly usage: Usage;
  readonly pendingActions: readonly PendingAction[];
  readonly failure?: RunFailure;
}

/** The rest of a run that is broken off. */
interface Unfinished {
  /** The model's last answer, if it is not stored yet. */
  readonly lastStep?: readonly NewEntry[];
  /** Whether a worker that leaves ends the run; by default another one continues it. */
  readonly isFinal?: boolean;
  /** Stores results of the open calls, without which the end cannot be stored. */
  readonly settleRest?: () => Promise<void>;
}

/** Ends runs with their totals so far: stores the end, releases the session with it, then sends the events. */
export class RunEnding {
  private readonly logger = new Logger('AgentRun');

  constructor(private readonly run: RunContext) {}

  /** @param lastStep the model's last answer, which is not stored yet */
  finish(stopReason: StopReason, lastStep: NewEntry): Promise<RunOutcome> {
    return this.end({ ...this.soFar, status: 'completed', stopReason }, [lastStep]);
  }

  /** Ends the run with one of the library's messages. */
  conclude(stopReason: StopReason, message: string): Promise<RunOutcome> {
    const { runId } = this.run;
    return this.end({ ...this.soFar, message, status: 'completed', stopReason }, [
      { type: 'message', runId, message: textMessage('assistant', message) },
    ]);
  }

  /** Leaves the run waiting for its pending actions. */
  async park(awaited: readonly AwaitedAction[]): Promise<RunOutcome> {
    const { runId, telemetry } = this.run;
    const trace = telemetry.trace();
    const pendingActions = awaited.map(({ action }) => action);
    await this.close([
      ...awaited.map((each): SessionEntry => ({ type: 'action.required', runId, ...each })),
      { type: 'run.parked', runId, ...(trace && { trace }) },
    ]);
    this.tellParked(awaited);
    const status = 'requires_action';
    return { ...this.soFar, status, stopReason: status, pendingActions };
  }

  /** Returns a worker's run to the queue; another worker continues it. Never rejects. */
  async suspend(lastStep: readonly NewEntry[] = []): Promise<RunOutcome> {
    const { runId, worker, journal, telemetry } = this.run;
    const trace = telemetry.trace();
    const { attempt = 1 } = journal.state.run?.queued ?? {};
    const given = { type: 'run.queued', runId, attempt, ...(trace && { trace }) } as const;
    try {
      await this.close([...lastStep, given], worker?.queued);
    } catch (error) {
      // The next worker treats the run as after a crash.
      this.logger.warn(`Run ${runId} could not be given back: ${thrownText(error)}`);
      await this.run.release();
      this.run.emitter.end();
    }
    return { ...this.soFar, ...STOP_OUTCOME.suspended };
  }

  /** Reports the run's own approvals: an asked agent's run reports its own. */
  private tellParked(awaited: readonly AwaitedAction[]): void {
    const { telemetry } = this.run;
    const origin = runOriginOf(this.run);
    for (const { action, via } of awaited) {
      const { type, callId, name: tool } = action;
      if (type !== 'approval' || via !== undefined) continue;
      telemetry.event(() => ({ type: 'approval.required', ...origin, callId, tool }));
    }
    const pending = awaited.map(({ action }) => action.type);
    telemetry.event(() => ({ type: 'parked', ...origin, pending }));
  }

  /** Ends a run that was stopped or failed. Never rejects. */
  async breakOff(error: unknown, unfinished: Unfinished = {}): Promise<RunOutcome> {
    const { run } = this;
    const cause = stopCauseOf(run.abort.signal);
    if (cause === 'suspended' && run.worker && !unfinished.isFinal) {
      return this.suspend(unfinished.lastStep);
    }
    const outcome = { ...this.soFar, ...brokenOff(cause, error) };
    if (outcome.failure) this.logFailure(outcome.failure, error, unfinished);
    return this.lastWords(outcome, unfinished);
  }

  private logFailure({ code }: RunFailure, error: unknown, { isFinal }: Unfinished): void {
    const { runId, worker } = this.run;
    if (code === INTERNAL_FAILURE.code) {
      // As text: loggers print an error's own properties too, and an HTTP client's hold headers.
      this.logger.error(`Run ${runId} failed.`, thrownText(error));
      return;
    }
    // If this worker cannot store the end either, another one continues the run.
    const isLost = code === LEASE_LOST_FAILURE.code || isStoreAway(error);
    const verb = worker && !isFinal && isLost ? 'was interrupted' : 'failed';
    const reason = isStoreAway(error) ? `. ${error.message}` : '';
    this.logger.warn(`Run ${runId} ${verb}: ${code}${reason}`);
  }

  /** Sends the end to the run's readers even if the store fails. */
  private async lastWords(
    outcome: RunOutcome,
    { lastStep, settleRest }: Unfinished,
  ): Promise<RunOutcome> {
    const { run } = this;
    try {
      await settleRest?.();
      return await this.end(outcome, lastStep);
    } catch (error) {
      const failed = runFailureOf(error);
      const { failure = failed } = outcome;
      const { message } = isStoreAway(error) ? error : failed;
      const next = run.worker ? ' Another worker continues it.' : '';
      // A worker that lost its lease has nothing to store, and `breakOff` has logged it.
      if (!run.worker || outcome.failure?.code !== LEASE_LOST_FAILURE.code) {
        this.logger.error(`The end of run ${run.runId} could not be stored: ${message}${next}`);
      }
      const ended = { ...outcome, status: 'failed', stopReason: 'error', failure } as const;
      await run.release();
      // Another worker continues the run, and its readers with it.
      if (!run.worker) run.emitter.emitUnstored(unstoredEnd(ended));
      run.emitter.end();
      return ended;
    }
  }

  private get soFar(): Pick<RunOutcome, 'message' | 'usage' | 'pendingActions'> {
    const { text: message, usage } = this.run.totals;
    return { message, usage, pendingActions: [] };
  }

  private async end(
    outcome: RunOutcome,
    lastEntries: readonly NewEntry[] = [],
  ): Promise<RunOutcome> {
    const { runId } = this.run;
    const { status, stopReason, message, usage, failure } = outcome;
    const stored = failure && { failure: storable(failure) };
    await this.close([
      ...lastEntries,
      { type: 'run.finished', runId, status, stopReason, message, usage, ...stored },
    ]);
    return outcome;
  }

  private async close(entries: readonly NewEntry[], queued?: QueuedRun): Promise<void> {
    const { journal, emitter, release } = this.run;
    await journal.close(entries, release, queued);
    emitter.end();
  }
}

/** How a run ends that was stopped, or failed if it was not. */
function brokenOff(
  cause: StopCause | undefined,
  error: unknown,
): Pick<RunOutcome, 'status' | 'stopReason' | 'failure'> {
  if (cause === undefined) {
    return { status: 'failed', stopReason: 'error', failure: runFailureOf(error) };
  }
  // A run that no other worker may continue ends with this one.
  return STOP_OUTCOME[cause === 'suspended' ? 'shutdown' : cause];
}

function unstoredEnd(outcome: RunOutcome & { failure: RunFailure }): readonly AgentEventBody[] {
  const { failure, ...ended } = outcome;
  const { code, message } = failure;
  return [
    { type: 'error', code, message },
    { type: 'run.finished', ...ended },
  ];
}

/** Without `retryAfterMs`, which is valid only for a moment. */
function storable({ code, message, httpStatus }: RunFailure): StoredFailure {
  return { code, message, httpStatus };
}
