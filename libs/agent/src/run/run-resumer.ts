import { Inject, Injectable } from '@nestjs/common';
import type { AuditedApproval, Settlement } from '../invocation';
import type { PendingAction } from '../message';
import { ToolRegistry } from '../registry';
import {
  applyEntry,
  pendingActionsOf,
  SESSION_STORE,
  sessionStateOf,
  type ActionAnswer,
  type SessionEntry,
  type SessionRecord,
  type SessionState,
  type SessionStore,
} from '../session';
import type { ToolDefinition } from '../tool';
import type { ChatAction, StartOptions } from './chat-input';
import type { ChatResult } from './chat-result';
import { chatResultOf } from './chat-result.mapper';
import { isExpired, matchAnswers, type PendingAnswer } from './pending-answers';
import { callContextOf, type RunContext } from './run-context';
import { ActionConflictError, InvalidInputError, RunNotFoundError } from './run-errors';
import type { RunHandle } from './run-handle';
import { RunLauncher } from './run-launcher';
import { RunStarter } from './run-starter';
import { SessionAccess, type SessionClaim } from './session-access';
import { SessionWriter } from './session-writer';
import type { RequestedCall } from './tool-step';

export interface ResumeOptions extends StartOptions {
  /** Proves the claim to a session that belongs to nobody. */
  readonly sessionId?: string;
  /** Tools that run in the caller's browser, for the rest of the run. */
  readonly frontendTools?: readonly ToolDefinition[];
}

/** The run goes on, or still waits for other answers. */
export type ResumedRun = RunHandle | { readonly partial: ChatResult };

/** An answer with what it comes to. */
interface TakenAnswer {
  readonly action: PendingAction;
  readonly entries: readonly SessionEntry[];
  /** Missing where the call is still to run. */
  readonly settlement?: Settlement;
  readonly approval?: AuditedApproval;
}

const EXPIRED = 'The time to approve this call was over. It was not run.';

/** Takes the answers to what a run waits for, and goes on with it once all are there. */
@Injectable()
export class RunResumer {
  constructor(
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    private readonly registry: ToolRegistry,
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
    const answers = matchAnswers(journal.state, runId, actions);
    const taken = await this.take(run, answers);
    const entries = taken.flatMap((each) => each.entries);
    if (pendingActionsOf(entries.reduce(applyEntry, journal.state)).length > 0) {
      await journal.append(...entries);
      this.record(run, taken);
      await run.release();
      return { partial: resultOf(sessionId, journal.state) };
    }
    const model = this.starter.modelNamed(journal.state.run?.model);
    const request = await this.starter.requestFor(model, run);
    await journal.append(...entries, { type: 'run.resumed', runId });
    this.record(run, taken);
    this.announceSettled(run);
    const environmentContext = journal.state.run?.environmentContext;
    return this.launcher.launch(
      run,
      { ...request, ...(environmentContext && { environmentContext }) },
      approvedCalls(journal.state),
    );
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
    const { runId } = run;
    const { action, answer } = each;
    const { callId, name } = action;
    switch (answer.type) {
      case 'result': {
        const { result, error } = answer;
        const delivery = error === undefined ? { result } : { error };
        const options = { ...callContextOf(run), callId };
        const settlement = this.launcher.services.calls.delivered(name, options, delivery);
        return { action, settlement, entries: [settled(runId, callId, settlement)] };
      }
      case 'reject': {
        const { reason } = answer;
        const text =
          reason === undefined || reason.trim() === ''
            ? 'The user declined this call. It was not run.'
            : `The user declined this call. It was not run. The user's reason: ${reason}`;
        return declined(runId, action, text, {
          type: 'reject',
          ...(reason !== undefined && { reason }),
        });
      }
      case 'approve':
        return isExpired(action)
          ? declined(runId, action, EXPIRED, { type: 'expire' })
          : { action, entries: await this.approval(run, each) };
    }
  }

  /** What was answered is on record from the moment it is stored; what was approved, once it ran. */
  private record(run: RunContext, taken: readonly TakenAnswer[]): void {
    const { calls } = this.launcher.services;
    for (const { action, settlement, approval } of taken) {
      if (settlement === undefined) continue;
      const options = { ...callContextOf(run), callId: action.callId };
      calls.conclude(action, options, settlement, approval);
    }
  }

  private async approval(
    run: RunContext,
    { action, answer }: PendingAnswer,
  ): Promise<readonly SessionEntry[]> {
    const { runId } = run;
    const { callId, name } = action;
    const { input } = answer;
    if (input !== undefined) await this.checkEdited(run, name, callId, input);
    const isRemembered =
      answer.remember === true && this.registry.find(name)?.traits.destructive === false;
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
    const { response } = await calls.create(name, input, { ...callContextOf(run), callId });
    if (response.status === 'pending' || response.status === 'awaiting_approval') return;
    throw new InvalidInputError(
      `The edited input of "${callId}" is refused. ${response.error?.message ?? ''}`.trim(),
    );
  }

  /** Tells the run's readers what became of the calls that were answered without being run. */
  private announceSettled(run: RunContext): void {
    const { state } = run.journal;
    for (const { action, settled } of state.actions) {
      const call = settled ? state.run?.calls.find(({ id }) => id === action.callId) : undefined;
      if (call?.output === undefined) continue;
      run.log.push({
        type: 'tool.result',
        callId: call.id,
        name: call.name,
        output: call.output,
        isError: call.isError ?? false,
        durationMs: call.durationMs ?? 0,
      });
    }
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

function declined(
  runId: string,
  action: PendingAction,
  text: string,
  answer: ActionAnswer,
): TakenAnswer {
  const { callId } = action;
  const error = { code: 'declined', message: text };
  const settlement: Settlement = { status: 'declined', content: text, error };
  return {
    action,
    settlement,
    approval: 'declined',
    entries: [
      { type: 'action.answered', runId, callId, answer },
      settled(runId, callId, settlement),
    ],
  };
}

function settled(runId: string, callId: string, { status, content }: Settlement): SessionEntry {
  const is_error = status !== 'executed';
  return {
    type: 'call.settled',
    runId,
    result: { type: 'tool_result', tool_use_id: callId, content, is_error },
    durationMs: 0,
  };
}

/** Where a run stands, from its session's state. */
export function resultOf(sessionId: string, state: SessionState): ChatResult {
  const { run } = state;
  if (run === undefined) throw new RunNotFoundError();
  return chatResultOf({
    sessionId,
    runId: run.runId,
    status: run.status,
    ...(run.stopReason !== undefined && { stopReason: run.stopReason }),
    message: run.message ?? '',
    calls: run.calls,
    pendingActions: pendingActionsOf(state),
    usage: run.usage,
  });
}
