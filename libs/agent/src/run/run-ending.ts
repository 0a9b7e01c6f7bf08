import { Logger } from '@nestjs/common';
import { thrownText } from '../invocation';
import {
  textMessage,
  textOf,
  type PendingAction,
  type RunStatus,
  type StopReason,
  type Usage,
} from '../message';
import type { RunState, SessionEntry, SessionState, StoredFailure } from '../session';
import type { RunFailure } from './chat-result';
import type { RunContext } from './run-context';
import { failureOf, isStoreAway, LEASE_LOST_FAILURE, SHUTDOWN_FAILURE } from './run-failure';
import { STOP_OUTCOME, stopCauseOf } from './run-stop';

/** How far a run has come. */
export interface RunProgress {
  /** The text of the last assistant message. */
  readonly text: string;
  readonly usage: Usage;
}

/** How a run, or its part up to a wait, ended. */
export interface RunOutcome {
  readonly status: RunStatus;
  readonly stopReason: StopReason;
  readonly message: string;
  readonly usage: Usage;
  readonly pendingActions: readonly PendingAction[];
  readonly failure?: RunFailure;
}

/**
 * The ways a run ends. Each is stored first; then the session is free for the next run; then the
 * run's readers hear of it.
 */
export class RunEnding {
  private readonly logger = new Logger('AgentRun');

  constructor(private readonly run: RunContext) {}

  finish(stopReason: StopReason, progress: RunProgress): Promise<RunOutcome> {
    return this.end({ ...outcomeOf(progress), status: 'completed', stopReason });
  }

  /** Ends the run with words of our own, which the history keeps. */
  conclude(stopReason: StopReason, text: string, { usage }: RunProgress): Promise<RunOutcome> {
    const { run } = this;
    run.log.push({ type: 'text.delta', delta: text });
    const outcome = outcomeOf({ text, usage });
    return this.end({ ...outcome, status: 'completed', stopReason }, [
      { type: 'message', runId: run.runId, message: textMessage('assistant', text) },
    ]);
  }

  /** Leaves the run waiting for its caller. */
  async park(pendingActions: readonly PendingAction[], progress: RunProgress): Promise<RunOutcome> {
    const { run } = this;
    const { runId } = run;
    // The waits, and run.finished, are still to be said.
    const seq = run.log.lastSeq + pendingActions.length + 1;
    await run.journal.append(
      ...pendingActions.map((action): SessionEntry => ({ type: 'action.required', runId, action })),
      { type: 'run.parked', runId, seq },
    );
    await run.release();
    for (const { type, callId, name, input, expiresAt } of pendingActions) {
      run.log.push(
        type === 'approval'
          ? {
              type: 'approval.required',
              callId,
              name,
              input,
              reason: approvalReason(name),
              expiresAt,
            }
          : { type: 'frontend.call', callId, name, input, expiresAt },
      );
    }
    const outcome = outcomeOf(progress);
    return this.tell({
      ...outcome,
      status: 'requires_action',
      stopReason: 'requires_action',
      pendingActions,
    });
  }

  /** Ends a run that broke off, by a stop from outside or by an error. Never rejects. */
  async breakOff(error: unknown, progress: RunProgress): Promise<RunOutcome> {
    const { run } = this;
    const cause = stopCauseOf(run.abort.signal);
    if (cause === 'cancelled' || cause === 'budget') {
      return this.lastWords({ ...outcomeOf(progress), ...STOP_OUTCOME[cause] });
    }
    const failure =
      cause === 'shutdown'
        ? SHUTDOWN_FAILURE
        : cause === 'lease_lost'
          ? LEASE_LOST_FAILURE
          : failureOf(error);
    if (failure.code === 'internal_error') {
      // As text: loggers print an error's own properties too, and an HTTP client's hold headers.
      this.logger.error(`Run ${run.runId} failed.`, thrownText(error));
    } else {
      const words = isStoreAway(error) ? `. ${error.message}` : '';
      this.logger.warn(`Run ${run.runId} failed: ${failure.code}${words}`);
    }
    run.log.push({ type: 'error', code: failure.code, message: failure.message });
    return this.lastWords({
      ...outcomeOf(progress),
      status: 'failed',
      stopReason: 'error',
      failure,
    });
  }

  /** Where the store fails as well, at least the run's readers hear of its end. */
  private async lastWords(outcome: RunOutcome): Promise<RunOutcome> {
    try {
      return await this.end(outcome);
    } catch (error) {
      const failure = failureOf(error);
      const { message } = isStoreAway(error) ? error : failure;
      this.logger.error(`Run ${this.run.runId} could not be stored: ${message}`);
      if (outcome.failure === undefined) {
        this.run.log.push({ type: 'error', code: failure.code, message: failure.message });
      }
      await this.run.release();
      return this.tell({
        ...outcome,
        status: 'failed',
        stopReason: 'error',
        failure: outcome.failure ?? failure,
      });
    }
  }

  private async end(
    outcome: RunOutcome,
    lastEntries: readonly SessionEntry[] = [],
  ): Promise<RunOutcome> {
    const { run } = this;
    const { status, stopReason, message, usage, failure } = outcome;
    const seq = run.log.lastSeq + 1;
    await run.journal.append(...lastEntries, {
      type: 'run.finished',
      runId: run.runId,
      status,
      stopReason,
      message,
      usage,
      ...(failure && { failure: storable(failure) }),
      seq,
    });
    await run.release();
    return this.tell(outcome);
  }

  private tell(outcome: RunOutcome): RunOutcome {
    const { status, stopReason, message, usage, pendingActions } = outcome;
    this.run.log.push({
      type: 'run.finished',
      status,
      stopReason,
      message,
      usage,
      pendingActions,
    });
    this.run.log.end();
    return outcome;
  }
}

function outcomeOf({
  text,
  usage,
}: RunProgress): Pick<RunOutcome, 'message' | 'usage' | 'pendingActions'> {
  return { message: text, usage, pendingActions: [] };
}

/** Why a call waits, for people to read. */
export function approvalReason(name: string): string {
  return `"${name}" changes something and runs only with your approval.`;
}

/** Without what holds for a moment only. */
function storable({ code, message, httpStatus }: RunFailure): StoredFailure {
  return { code, message, httpStatus };
}

/** The end of a run whose process stored none. */
export function endInstead(
  { runId, message = '', usage, seq }: RunState,
  status: 'failed' | 'cancelled',
): SessionEntry {
  const stopReason = status === 'failed' ? 'error' : status;
  return { type: 'run.finished', runId, status, stopReason, message, usage, seq };
}

/** What the model said last, of a run that waits. */
export function lastAnswer({ messages }: SessionState): string {
  const asked = messages.findLast(({ role }) => role === 'assistant');
  return asked ? textOf(asked) : '';
}
