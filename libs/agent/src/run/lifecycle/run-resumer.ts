import { Injectable } from '@nestjs/common';
import { CallInterruptedError, deliveryFrom, shownInput, storedInput } from '../../invocation';
import { NO_USAGE, type AgentEvent, type JsonObject, type PendingAction } from '../../message';
import {
  lastAnswer,
  pendingActionsOf,
  type ActionAnswer,
  type RunCall,
  type RunRecord,
  type SessionEntry,
  SessionBusyError,
  type SessionState,
} from '../../session';
import { InvalidArgumentsError, type Tool, type ToolDefinition } from '../../tool';
import {
  APPROVAL_EXPIRED,
  approvalOf,
  callContextOf,
  CANCELLED,
  endCalls,
  type EndedCall,
  rejected,
  type RequestedCall,
  RESULT_EXPIRED,
  type RunContext,
  withHint,
} from '../loop';
import {
  ActionConflictError,
  type ChatAction,
  type ChatResult,
  chatResultOf,
  InvalidInputError,
  isExpired,
  matchAnswers,
  type PendingAnswer,
  type RunHandle,
  RunNotFoundError,
  shownResult,
  type StartOptions,
  toolsOf,
} from '../request';
import { RunReader } from './run.reader';
import { RunLauncher } from './run-launcher';
import { RunStarter } from './run-starter';
import { SessionAccess, type SessionClaim } from './session-access';
import { SessionWriter } from './session-writer';

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
      /** The run's id. */
      readonly runId: string;
      /** The run's present state. */
      readonly partial: ChatResult;
      /** What came of the answers, to the `run.finished` that says what the run waits for now. */
      events(): AsyncIterable<AgentEvent>;
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
    private readonly sessions: SessionAccess,
    private readonly reader: RunReader,
    private readonly writer: SessionWriter,
    private readonly starter: RunStarter,
    private readonly launcher: RunLauncher,
  ) {}

  resume(
    runId: string,
    actions: readonly ChatAction[],
    options: ResumeOptions,
  ): Promise<ResumedRun> {
    return this.takeUp(runId, options, (state) => matchAnswers(state, runId, actions));
  }

  /** As `resume`, with an answer of the application's own. */
  settle(runId: string, action: ChatAction, options: ResumeOptions): Promise<ResumedRun> {
    return this.takeUp(runId, options, (state) => {
      const isUnderWay = state.run?.runId === runId && state.run.status === 'running';
      const isOpen = state.openCalls.some(({ call }) => call.id === action.callId);
      // Others of its step still run, so the question is not stored yet.
      if (isUnderWay && isOpen) throw new SessionBusyError();
      return matchAnswers(state, runId, [action], true);
    });
  }

  /** @param match finds what the answers are for; all of them fit, or it throws */
  private async takeUp(
    runId: string,
    options: ResumeOptions,
    match: (state: SessionState) => readonly PendingAnswer[],
  ): Promise<ResumedRun> {
    const record = await this.recordOf(runId, options);
    // An answer that comes too late hears so, even while its session is busy.
    const { state } = await this.reader.view(record, runId);
    match(state);
    const tools = this.starter.frontendTools(options.frontendTools ?? [], options.tools);
    return this.starter.admitted(options.principal, async (leave) => {
      const journal = await this.writer.takeForRun(record, runId);
      const run = this.launcher.prepare({
        runId,
        sessionId: record.id,
        options,
        frontend: options.frontend ?? 'park',
        journal,
        telling: journal.telling,
        tools,
        leave,
      });
      return this.starter.orRelease(run, () => this.proceed(run, match(journal.state)));
    });
  }

  private async proceed(run: RunContext, answers: readonly PendingAnswer[]): Promise<ResumedRun> {
    const { runId, journal, sessionId = '' } = run;
    const late = answers.filter(isTooLate);
    if (late[0]) {
      await this.expire(run, late);
      throw new ActionConflictError('expired', late[0].action.callId);
    }
    const taken = await this.take(run, answers);
    const before = taken.flatMap(({ entries }) => entries);
    const made = journal.state.run?.calls ?? [];
    const ended = taken.flatMap((each) => (each.ended ? [hinted(each.ended, made)] : []));
    const { calls } = this.launcher.services;
    if (pendingActionsOf(journal.state).length > answers.length) {
      const { feed } = run.telling;
      await endCalls(run, calls, ended, {
        before,
        after: [{ type: 'run.parked', runId }],
        write: (...entries) => journal.close(entries, run.release),
      });
      feed.end();
      const toolOf = toolsOf(this.launcher.services.catalog, run.tools);
      const partial = shownResult(resultOf(sessionId, journal.state), toolOf);
      return { runId, partial, events: () => feed.read() };
    }
    const model = this.starter.modelNamed(journal.state.run?.model);
    const request = await this.starter.requestFor(model, run);
    await endCalls(run, calls, ended, { before, after: [{ type: 'run.resumed', runId }] });
    const { environmentContext, modelOptions } = journal.state.run ?? {};
    return this.launcher.launch(
      run,
      {
        ...request,
        ...(environmentContext && { environmentContext }),
        ...(modelOptions && { settings: modelOptions }),
      },
      approvedCalls(journal.state),
    );
  }

  /** Settles what was approved too late. A run that waits for nothing else is over. */
  private async expire(run: RunContext, late: readonly PendingAnswer[]): Promise<void> {
    const { runId, journal } = run;
    const { state } = journal;
    const isOver = pendingActionsOf(state).length === late.length;
    const taken = late.map(({ action }) => expired(run, action));
    await endCalls(
      run,
      this.launcher.services.calls,
      [
        ...taken.flatMap(({ ended }) => (ended ? [ended] : [])),
        ...(isOver ? neverRun(state, late) : []),
      ],
      {
        before: taken.flatMap(({ entries }) => entries),
        after: [isOver ? cancelled(runId, state) : { type: 'run.parked', runId }],
        write: (...entries) => journal.close(entries, run.release),
      },
    );
    run.telling.feed.end();
  }

  private async recordOf(runId: string, claim: SessionClaim): Promise<RunRecord> {
    const record = await this.sessions.findByRun(runId, claim);
    if (record === undefined) throw new RunNotFoundError();
    return record;
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
    switch (answer.type) {
      case 'result':
        if (isExpired(action)) return expired(run, action);
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
    const options = { ...callContextOf(run), callId };
    return {
      call: callOf(action),
      settlement: this.launcher.services.calls.delivered(name, options, deliveryFrom(answer)),
      approval: approvalOf(run.journal.state, callId),
    };
  }

  private async approval(
    run: RunContext,
    { action, answer }: PendingAnswer,
  ): Promise<readonly SessionEntry[]> {
    const { runId } = run;
    const { callId, name } = action;
    const tool = this.launcher.services.catalog.find(name, callContextOf(run));
    const input = answer.input && unmaskedInput(tool, answer.input, action);
    if (input !== undefined) await this.checkEdited(run, name, callId, input);
    const isRemembered = answer.remember === true && tool?.traits.destructive === false;
    return [
      {
        type: 'action.answered',
        runId,
        callId,
        answer: {
          type: 'approve',
          ...(input !== undefined && { input, ...shownAs(tool, input) }),
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

/** Edited input as readers are shown it, where that is another. */
function shownAs(tool: Tool | undefined, input: JsonObject): { readonly shownInput?: JsonObject } {
  const shown = shownInput(tool, tool?.normalize?.(input) ?? input);
  return JSON.stringify(shown) === JSON.stringify(input) ? {} : { shownInput: shown };
}

/** What came back masked is what is stored. */
function unmaskedInput(
  tool: Tool | undefined,
  edited: JsonObject,
  { callId, input }: PendingAction,
): JsonObject {
  try {
    return storedInput(tool, edited, input);
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    throw new InvalidInputError(`The edited input of "${callId}" is refused. ${error.message}`);
  }
}

/** What was approved in time, and has waited for the rest. */
function neverRun(state: SessionState, late: readonly PendingAnswer[]): readonly EndedCall[] {
  const isLate = (id: string): boolean => late.some(({ action }) => action.callId === id);
  return state.openCalls
    .filter(({ call }) => !isLate(call.id))
    .map(({ call }) => ({
      call,
      settlement: CANCELLED,
      approval: approvalOf(state, call.id),
    }));
}

function isTooLate({ action, answer }: PendingAnswer): boolean {
  return answer.type === 'approve' && isExpired(action);
}

function cancelled(runId: string, state: SessionState): SessionEntry {
  const end = { status: 'cancelled', stopReason: 'cancelled', message: '' } as const;
  return { type: 'run.finished', runId, ...end, usage: state.run?.usage ?? NO_USAGE };
}

function approvedCalls(state: SessionState): readonly RequestedCall[] {
  return state.openCalls.flatMap(({ call }) => {
    const answer = state.actions.find(({ action }) => action.callId === call.id)?.answer;
    if (answer?.type !== 'approve') return [];
    return [{ use: call, isApproved: true }];
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
