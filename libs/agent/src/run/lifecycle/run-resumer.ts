import { Inject, Injectable } from '@nestjs/common';
import { ToolCallFactory, ToolCatalog } from '../../invocation';
import { NO_USAGE } from '../../message';
import {
  pendingActionsOf,
  type RunCall,
  type SessionEntry,
  SessionBusyError,
  type SessionState,
} from '../../session';
import { originOf } from '../../telemetry';
import type { ToolDefinition } from '../../tool';
import {
  approvalOf,
  CANCELLED,
  endCalls,
  type EndedCall,
  type RequestedCall,
  type RunContext,
  withHint,
  promptFor,
} from '../loop';
import {
  ActionConflictError,
  beforeOf,
  type ChatAction,
  isExpired,
  matchAnswers,
  type PendingAnswer,
  type RunHandle,
  type StartOptions,
  storedResult,
  toolsOf,
  RUN_OPTIONS,
  type RunOptions,
} from '../request';
import { RunReader } from './run.reader';
import { RunLauncher } from './run-launcher';
import { ActiveRuns } from './active-runs';
import { AnswerTaker, expired, tellAnswered } from './answer-taker';
import { ClientTools } from './client-tools';
import { Models } from './models';
import { SessionAccess } from './session-access';
import { SessionWriter } from './session-writer';

/**
 * The caller of a resumed run, and its execution.
 *
 * @example
 * const options: ResumeOptions = { principal: 'alice', frontendTools: [] };
 */
export interface ResumeOptions extends StartOptions {
  /** The session's id, which anonymous callers must present. */
  readonly sessionId?: string;
  /** Tools that run in the caller's browser, for the rest of the run; none by default. */
  readonly frontendTools?: readonly ToolDefinition[];
}

/** Accepts answers to pending actions and resumes the run once all are answered. */
@Injectable()
export class RunResumer {
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    private readonly sessions: SessionAccess,
    private readonly reader: RunReader,
    private readonly writer: SessionWriter,
    private readonly models: Models,
    private readonly clientTools: ClientTools,
    private readonly calls: ToolCallFactory,
    private readonly catalog: ToolCatalog,
    private readonly taker: AnswerTaker,
    private readonly active: ActiveRuns,
    private readonly launcher: RunLauncher,
  ) {}

  resume(
    runId: string,
    actions: readonly ChatAction[],
    options: ResumeOptions,
  ): Promise<RunHandle> {
    return this.takeUp(runId, options, (state) => matchAnswers(state, runId, actions));
  }

  /** As `resume`, with the application's own answer. */
  settle(runId: string, action: ChatAction, options: ResumeOptions): Promise<RunHandle> {
    return this.takeUp(runId, options, (state) => {
      const isUnderWay = state.run?.runId === runId && state.run.status === 'running';
      const isOpen = state.openCalls.some(({ call }) => call.id === action.callId);
      // Other calls of the step still run, so the pending action is not stored yet.
      if (isUnderWay && isOpen) throw new SessionBusyError();
      return matchAnswers(state, runId, [action], true);
    });
  }

  /** @param match matches the answers with pending actions, or throws */
  private async takeUp(
    runId: string,
    options: ResumeOptions,
    match: (state: SessionState) => readonly PendingAnswer[],
  ): Promise<RunHandle> {
    const record = await this.sessions.findByRun(runId, options);
    // A late answer is refused even while the session is busy.
    const { state } = await this.reader.view(record, runId);
    match(state);
    const tools = this.clientTools.ofPage(options.frontendTools, options.tools);
    const { runsPerPrincipal } = this.options;
    return this.active.admitted(options.principal, runsPerPrincipal, async (leave) => {
      const journal = await this.writer.takeForRun(record, runId);
      const setup = { runId, sessionId: record.id, options, journal, tools, leave };
      return this.launcher.prepared(setup, (run) => this.proceed(run, match(journal.state)));
    });
  }

  private async proceed(run: RunContext, answers: readonly PendingAnswer[]): Promise<RunHandle> {
    const { runId, journal } = run;
    const late = answers.filter(isTooLate);
    if (late[0]) {
      await this.expire(run, late);
      throw new ActionConflictError('expired', late[0].action.callId);
    }
    const taken = await this.taker.take(run, answers);
    const before = taken.flatMap(({ entries }) => entries);
    const made = journal.state.run?.calls ?? [];
    const ended = taken.flatMap((each) => (each.ended ? [hinted(each.ended, made)] : []));
    if (pendingActionsOf(journal.state).length > answers.length) {
      await endCalls(run, this.calls, ended, {
        before,
        after: [{ type: 'run.parked', runId }],
        write: (...entries) => journal.close(entries, run.release),
      });
      run.telling.end();
      tellAnswered(run, taken);
      return this.waitingOn(run);
    }
    const model = this.models.named(journal.state.run?.model);
    const systemPrompt = await promptFor(run, this.options.systemPrompt);
    await endCalls(run, this.calls, ended, { before, after: [{ type: 'run.resumed', runId }] });
    const { environmentContext, modelOptions } = journal.state.run ?? {};
    return this.launcher.launch(
      run,
      {
        model,
        systemPrompt,
        ...(environmentContext && { environmentContext }),
        ...(modelOptions && { settings: modelOptions }),
      },
      {
        approved: approvedCalls(journal.state),
        tell: () => {
          tellAnswered(run, taken);
          run.telemetry.event(() => ({ type: 'resumed', ...originOf(run) }));
        },
      },
    );
  }

  /**
   * The handle of a run with other pending actions: its events end with the results of these
   * answers.
   */
  private waitingOn(run: RunContext): RunHandle {
    const { runId, sessionId = '', journal, telling } = run;
    const result = storedResult(sessionId, journal.state, toolsOf(this.catalog, run.tools));
    return {
      runId,
      sessionId,
      ...beforeOf(journal.state.run, telling.feed.offset),
      events: (after) => telling.feed.read(after),
      finished: Promise.resolve(result),
      cancel: () => undefined,
    };
  }

  /** Settles late approvals. Without other pending actions the run ends. */
  private async expire(run: RunContext, late: readonly PendingAnswer[]): Promise<void> {
    const { runId, journal } = run;
    const { state } = journal;
    const isOver = pendingActionsOf(state).length === late.length;
    const taken = late.map(({ action }) => expired(run, action));
    await endCalls(
      run,
      this.calls,
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
    run.telling.end();
    tellAnswered(run, taken);
    if (isOver) run.telemetry.measure(() => ({ type: 'wait.ended' }));
  }
}

/** The calls that were approved in time and waited for the others. */
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

function hinted(ended: EndedCall, made: readonly RunCall[]): EndedCall {
  const { call, settlement } = ended;
  const content = withHint(made, call.id, settlement.content);
  return { ...ended, settlement: { ...settlement, content } };
}
