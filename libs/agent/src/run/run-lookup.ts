import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '../invocation';
import type { AgentEvent } from '../message';
import {
  pendingActionsOf,
  runStateOf,
  SESSION_STORE,
  type RunState,
  type SessionRecord,
  type SessionStore,
} from '../session';
import { ActiveRuns, type ActiveRun } from './active-runs';
import type { ChatResult } from './chat-result';
import { chatResultOf } from './chat-result.mapper';
import { RunNotFoundError } from './run-errors';
import { CUT_OFF_FAILURE } from './run-failure';
import { SessionAccess, type SessionClaim } from './session-access';
import { lastAnswer } from './run-ending';
import { StoredRunReader } from './stored-run.reader';
import { WaitingRunCanceller } from './waiting-run.canceller';

/** Finds runs for those they belong to: in this process, or in the journal. */
@Injectable()
export class RunLookup {
  constructor(
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    private readonly sessions: SessionAccess,
    private readonly active: ActiveRuns,
    private readonly reader: StoredRunReader,
    private readonly canceller: WaitingRunCanceller,
  ) {}

  async find(runId: string, claim: SessionClaim): Promise<ChatResult> {
    const { record, run, message, pendingActions } = await this.stored(runId, claim);
    const status = await this.reader.statusOf(record, run);
    return chatResultOf({
      sessionId: record.id,
      runId,
      status,
      ...(run.stopReason !== undefined && { stopReason: run.stopReason }),
      message,
      calls: run.calls,
      pendingActions,
      usage: run.usage,
      ...(status === 'failed' && { failure: run.failure ?? CUT_OFF_FAILURE }),
    });
  }

  async cancel(runId: string, claim: SessionClaim): Promise<ChatResult> {
    const live = this.live(runId, claim);
    if (live !== undefined && this.active.isRunning(runId)) {
      live.cancel();
      const result = await live.finished;
      if (result.status !== 'requires_action') return result;
    }
    const { record } = await this.stored(runId, claim);
    await this.active.stop(runId, 'cancelled');
    const { run } = await this.stored(runId, claim);
    if (run.status === 'requires_action') await this.canceller.cancel(record, runId);
    return this.find(runId, claim);
  }

  /** The events after a number; of a run this process does not know, those its journal tells of. */
  async events(runId: string, claim: SessionClaim, after = 0): Promise<AsyncIterable<AgentEvent>> {
    const live = this.live(runId, claim);
    if (live !== undefined && after >= live.log.offset) return live.events(after);
    const { record } = await this.stored(runId, claim);
    if (live === undefined) return this.reader.events(record, runId, after);
    // It went on here after a wait, and this process does not know what was told before that.
    const told = await this.reader.told(record, runId, after, live.log.offset);
    return joined(told, live.events(live.log.offset));
  }

  /** Hands a browser's result to the run that waits for it; `false` where none does. */
  async deliver(
    sessionId: string,
    callId: string,
    delivery: Delivery,
    principal: string | undefined,
  ): Promise<boolean> {
    await this.sessions.find(sessionId, principal);
    return this.active.ofSession(sessionId)?.deliver(callId, delivery) ?? false;
  }

  private live(runId: string, claim: SessionClaim): ActiveRun | undefined {
    const run = this.active.find(runId);
    return run !== undefined && isReachedBy(run, claim) ? run : undefined;
  }

  private async stored(
    runId: string,
    claim: SessionClaim,
  ): Promise<{
    readonly record: SessionRecord;
    readonly run: RunState;
    readonly message: string;
    readonly pendingActions: ChatResult['pendingActions'];
  }> {
    const record = await this.sessions.findByRun(runId, claim);
    if (record === undefined) throw new RunNotFoundError();
    const state = await this.sessions.stateOf(record);
    if (state.run?.runId === runId) {
      const { run } = state;
      const asked = run.status === 'requires_action' ? lastAnswer(state) : '';
      const { message = asked } = run;
      return { record, run, message, pendingActions: pendingActionsOf(state) };
    }
    const entries = (await this.store.read(record.id)).map(({ entry }) => entry);
    const run = runStateOf(entries, runId);
    if (run === undefined) throw new RunNotFoundError();
    return { record, run, message: run.message ?? '', pendingActions: [] };
  }
}

/** Whether a claim reaches a run: by its principal, or by the session's id where it has none. */
function isReachedBy(run: ActiveRun, claim: SessionClaim): boolean {
  if (run.isEphemeral || run.principal !== claim.principal) return false;
  return run.principal !== undefined || run.sessionId === claim.sessionId;
}

async function* joined<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}
