import {
  pendingActionsOf,
  type RunCall,
  type SessionEntry,
  type SessionState,
} from '../../session';
import type { RunContext } from '../context';
import { CANCELLED, endCalls, type EndedCall, type LoopServices, withHint } from '../loop';
import type { PendingAnswer } from '../request';
import { AnswerTaker, expired, type TakenAnswer, tellAnswered } from './answer-taker';
import { byAskingCall } from './asked-answers';
import { waitEnd } from './recovery';

/** The effects of answers on the journal. */
export interface AnswerEffects {
  /** Entries before those of the calls that end. */
  readonly before: readonly SessionEntry[];
  readonly ended: readonly EndedCall[];
}

/** Accepts and stores the answers to a run's pending actions, including those of asked agents. */
export class StoredAnswers {
  constructor(private readonly services: LoopServices) {}

  /**
   * Accepts the run's own answers and passes on those for asked agents. One refused answer refuses all,
   * so every agent checks its answers before any agent stores one.
   */
  async take(run: RunContext, answers: readonly PendingAnswer[]): Promise<readonly TakenAnswer[]> {
    const taken = await this.check(run, answers);
    for (const [via, own] of byAskingCall(answers)) await run.asking.accept(run, via, own);
    return taken;
  }

  async check(run: RunContext, answers: readonly PendingAnswer[]): Promise<readonly TakenAnswer[]> {
    const taken = await new AnswerTaker(this.services).take(run, answers);
    for (const [via, own] of byAskingCall(answers)) await run.asking.check(run, via, own);
    return taken;
  }

  /** Ends calls whose approvals came too late, including those of asked agents. */
  async expire(run: RunContext, late: readonly PendingAnswer[]): Promise<readonly TakenAnswer[]> {
    for (const [via, own] of byAskingCall(late)) await run.asking.accept(run, via, own);
    return late.map(({ action, via }) => expired(run, action, via));
  }

  effectsOf({ journal }: RunContext, taken: readonly TakenAnswer[]): AnswerEffects {
    const made = journal.state.run?.calls ?? [];
    return {
      before: taken.flatMap(({ entries }) => entries),
      ended: taken.flatMap((each) => (each.ended ? [hinted(each.ended, made)] : [])),
    };
  }

  /** Stores the answers and waits for others. */
  waitOn(run: RunContext, taken: readonly TakenAnswer[]): Promise<void> {
    return this.leave(run, taken, { type: 'run.parked', runId: run.runId });
  }

  /** Stores the answers with the last entry and releases the session. */
  private async leave(
    run: RunContext,
    taken: readonly TakenAnswer[],
    last: SessionEntry,
    others: readonly EndedCall[] = [],
  ): Promise<void> {
    const { before, ended } = this.effectsOf(run, taken);
    await endCalls(run, this.services.calls, [...ended, ...others], {
      before,
      after: [last],
      write: (...entries) => run.journal.close(entries, run.release),
    });
    run.emitter.end();
    tellAnswered(run, taken);
  }

  /** Settles late approvals. Without other pending actions the run ends. */
  async endLate(run: RunContext, late: readonly PendingAnswer[]): Promise<void> {
    const { runId, journal } = run;
    const { state } = journal;
    const taken = await this.expire(run, late);
    if (pendingActionsOf(state).length > late.length) return this.waitOn(run, taken);
    await this.leave(run, taken, waitEnd(runId, state.run?.usage), neverRun(state, late));
    run.telemetry.measure(() => ({ type: 'wait.ended' }));
  }
}

/** Approved calls that waited for the late ones. */
function neverRun(state: SessionState, late: readonly PendingAnswer[]): readonly EndedCall[] {
  const lateIds = new Set(late.map(({ action }) => action.callId));
  return state.openCalls
    .filter(({ call }) => !lateIds.has(call.id))
    .map(({ call }) => ({ call, settlement: CANCELLED }));
}

function hinted(ended: EndedCall, made: readonly RunCall[]): EndedCall {
  const { call, settlement } = ended;
  const content = withHint({ calls: made }, call.id, settlement.content);
  return { ...ended, settlement: { ...settlement, content } };
}
