import { Inject, Injectable } from '@nestjs/common';
import { CallInterruptedError } from '../invocation';
import type { PendingAction } from '../message';
import {
  pendingActionsOf,
  SESSION_STORE,
  sessionStateOf,
  type ActionAnswer,
  type RunCall,
  type SessionEntry,
  type SessionRecord,
  type SessionState,
  type SessionStore,
} from '../session';
import type { ToolDefinition } from '../tool';
import { APPROVAL_EXPIRED, rejected, RESULT_EXPIRED } from './call-endings';
import { announceAnswered, approvalOf, endCalls, type EndedCall } from './call-results';
import type { ChatAction, StartOptions } from './chat-input';
import type { ChatResult } from './chat-result';
import { chatResultOf } from './chat-result.mapper';
import { isExpired, matchAnswers, type PendingAnswer } from './pending-answers';
import { withHint } from './repeated-calls';
import { callContextOf, type RunContext } from './run-context';
import { ActionConflictError, InvalidInputError, RunNotFoundError } from './run-errors';
import { lastAnswer } from './run-ending';
import type { RunHandle } from './run-handle';
import { RunLauncher } from './run-launcher';
import { RunStarter } from './run-starter';
import { SessionAccess, type SessionClaim } from './session-access';
import { SessionWriter } from './session-writer';
import type { RequestedCall } from './tool-step';

/**
 * On whose behalf, and how, a run goes on.
 *
 * @example
 * const options: ResumeOptions = { principal: 'alice', frontendTools: [] };
 */
export interface ResumeOptions extends StartOptions {
  /** The session's id: the claim to one that belongs to nobody. */
  readonly sessionId?: string;
  /** Tools that run in the caller's browser, for the rest of the run; none by default. */
  readonly frontendTools?: readonly ToolDefinition[];
}

/**
 * The run goes on, its events by default with what comes now, or still waits for other answers.
 */
export type ResumedRun =
  | RunHandle
  | {
      /** The run's present state. */
      readonly partial: ChatResult;
    };

/** What an answer comes to. */
interface TakenAnswer {
  readonly entries: readonly SessionEntry[];
  /** Missing where the call is still to run. */
  readonly ended?: EndedCall;
}

/** Takes the answers to what a run waits for, and goes on with it once all are there. */
@Injectable()
export class RunResumer {
  constructor(
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    private readonly sessions: SessionAccess,
    private readonly writer: SessionWriter,
    private readonly starter: RunStarter,
    private readonly launcher: RunLauncher,
  ) {}

  async resume(
    runId: string,
    actions: readonly ChatAction[],
    options: ResumeOptions,
  ): Promise<ResumedRun> {
    const record = await this.recordOf(runId, options);
    await this.checkOldRun(record, runId, actions);
    const tools = this.starter.frontendTools(options.frontendTools ?? [], options.tools);
    return this.starter.admitted(options.principal, async (leave) => {
      const journal = await this.writer.take(record);
      const run = this.launcher.prepare({
        runId,
        sessionId: record.id,
        options,
        frontend: options.frontend ?? 'park',
        journal,
        seq: journal.state.run?.seq ?? 0,
        tools,
        leave,
      });
      return this.starter.orRelease(run, () => this.proceed(run, actions));
    });
  }

  private async proceed(run: RunContext, actions: readonly ChatAction[]): Promise<ResumedRun> {
    const { runId, journal, sessionId = '' } = run;
    const toldBefore = run.log.lastSeq;
    const answers = matchAnswers(journal.state, runId, actions);
    const taken = await this.take(run, answers);
    const before = taken.flatMap(({ entries }) => entries);
    const made = journal.state.run?.calls ?? [];
    const ended = taken.flatMap((each) => (each.ended ? [hinted(each.ended, made)] : []));
    const { calls } = this.launcher.services;
    if (pendingActionsOf(journal.state).length > answers.length) {
      await endCalls(run, calls, ended, { before });
      await run.release();
      return { partial: resultOf(sessionId, journal.state) };
    }
    const model = this.starter.modelNamed(journal.state.run?.model);
    const request = await this.starter.requestFor(model, run);
    await endCalls(run, calls, ended, { before, after: [{ type: 'run.resumed', runId }] });
    announceAnswered(run);
    const environmentContext = journal.state.run?.environmentContext;
    const going = this.launcher.launch(
      run,
      { ...request, ...(environmentContext && { environmentContext }) },
      approvedCalls(journal.state),
    );
    return { ...going, events: (after = toldBefore) => going.events(after) };
  }

  private async recordOf(runId: string, claim: SessionClaim): Promise<SessionRecord> {
    const record = await this.sessions.findByRun(runId, claim);
    if (record === undefined) throw new RunNotFoundError();
    return record;
  }

  /** An answer that comes too late hears so, even while its session is busy. */
  private async checkOldRun(
    record: SessionRecord,
    runId: string,
    actions: readonly ChatAction[],
  ): Promise<void> {
    const entries = (await this.store.read(record.id, record.readFrom)).map(({ entry }) => entry);
    const state = sessionStateOf(entries);
    if (state.run?.runId === runId) {
      matchAnswers(state, runId, actions);
      return;
    }
    const asked = new Set(
      entries.flatMap((entry) =>
        entry.type === 'action.required' && entry.runId === runId ? [entry.action.callId] : [],
      ),
    );
    const known = actions.find(({ callId }) => asked.has(callId));
    if (known) throw new ActionConflictError('already_resolved', known.callId);
    throw new ActionConflictError('not_pending', actions[0]?.callId ?? '');
  }

  private async take(
    run: RunContext,
    answers: readonly PendingAnswer[],
  ): Promise<readonly TakenAnswer[]> {
    const taken: TakenAnswer[] = [];
    for (const each of answers) taken.push(await this.takeOne(run, each));
    return taken;
  }

  private async takeOne(run: RunContext, each: PendingAnswer): Promise<TakenAnswer> {
    const { action, answer } = each;
    if (isExpired(action) && answer.type !== 'reject') return expired(run, action);
    switch (answer.type) {
      case 'result':
        return { entries: [], ended: this.delivered(run, each) };
      case 'reject': {
        const { reason } = answer;
        const given = { type: 'reject', ...(reason !== undefined && { reason }) } as const;
        return unused(run, action, given, { settlement: rejected(reason), approval: 'declined' });
      }
      case 'approve':
        return { entries: await this.approval(run, each) };
    }
  }

  private delivered(run: RunContext, { action, answer }: PendingAnswer): EndedCall {
    const { callId, name } = action;
    const { result, error } = answer;
    const delivery = error === undefined ? { result } : { error };
    const options = { ...callContextOf(run), callId };
    return {
      call: callOf(action),
      settlement: this.launcher.services.calls.delivered(name, options, delivery),
      approval: approvalOf(run.journal.state, callId),
    };
  }

  private async approval(
    run: RunContext,
    { action, answer }: PendingAnswer,
  ): Promise<readonly SessionEntry[]> {
    const { runId } = run;
    const { callId, name } = action;
    const { input } = answer;
    if (input !== undefined) await this.checkEdited(run, name, callId, input);
    const tool = this.launcher.services.catalog.find(name, callContextOf(run));
    const isRemembered = answer.remember === true && tool?.traits.destructive === false;
    return [
      {
        type: 'action.answered',
        runId,
        callId,
        answer: {
          type: 'approve',
          ...(input !== undefined && { input }),
          ...(isRemembered && { remember: true }),
        },
      },
      ...(isRemembered ? [{ type: 'permission.remembered', tool: name } as const] : []),
    ];
  }

  /** Edited input is checked as the model's was; while it is wrong, the approval stays open. */
  private async checkEdited(
    run: RunContext,
    name: string,
    callId: string,
    input: NonNullable<ChatAction['input']>,
  ): Promise<void> {
    const { calls } = this.launcher.services;
    const refusal = await calls.refusal(name, input, { ...callContextOf(run), callId });
    if (run.abort.signal.aborted) throw new CallInterruptedError(false);
    if (refusal === undefined) return;
    throw new InvalidInputError(`The edited input of "${callId}" is refused. ${refusal.message}`);
  }
}

function approvedCalls(state: SessionState): readonly RequestedCall[] {
  return state.openCalls.flatMap(({ call }) => {
    const answer = state.actions.find(({ action }) => action.callId === call.id)?.answer;
    if (answer?.type !== 'approve') return [];
    // It was announced before the wait; only what was edited since is news.
    return [{ use: call, isApproved: true, isAnnounced: answer.input === undefined }];
  });
}

/** The answer came too late: the call ends as if nobody had answered. */
function expired(run: RunContext, action: PendingAction): TakenAnswer {
  const end =
    action.type === 'approval'
      ? ({ settlement: APPROVAL_EXPIRED, approval: 'expired' } as const)
      : { settlement: RESULT_EXPIRED, approval: approvalOf(run.journal.state, action.callId) };
  return unused(run, action, { type: 'expire' }, end);
}

function unused(
  { runId }: RunContext,
  action: PendingAction,
  answer: ActionAnswer,
  end: Omit<EndedCall, 'call'>,
): TakenAnswer {
  const { callId } = action;
  return {
    entries: [{ type: 'action.answered', runId, callId, answer }],
    ended: { call: callOf(action), ...end },
  };
}

function hinted(ended: EndedCall, made: readonly RunCall[]): EndedCall {
  const { call, settlement } = ended;
  const content = withHint(made, call.id, settlement.content);
  return { ...ended, settlement: { ...settlement, content } };
}

function callOf({ callId: id, name, input }: PendingAction): EndedCall['call'] {
  return { id, name, input };
}

/** Where a run stands, from its session's state. */
function resultOf(sessionId: string, state: SessionState): ChatResult {
  const { run } = state;
  if (run === undefined) throw new RunNotFoundError();
  return chatResultOf({
    sessionId,
    runId: run.runId,
    status: run.status,
    ...(run.stopReason !== undefined && { stopReason: run.stopReason }),
    message: run.message ?? lastAnswer(state),
    calls: run.calls,
    pendingActions: pendingActionsOf(state),
    usage: run.usage,
  });
}
