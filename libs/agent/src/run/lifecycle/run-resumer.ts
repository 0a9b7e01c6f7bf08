import { defined } from '../../internal';
import { isUnderWay } from '../../message';
import {
  actionOf,
  hasAsked,
  pendingActionsOf,
  type RunRecord,
  SessionBusyError,
  type SessionState,
} from '../../session';
import type { ToolDefinition } from '../../tool';
import { endCalls, type LoopServices, type RequestedCall, storedRequest } from '../loop';
import { runOriginOf, type RunContext } from '../context';
import {
  ActionConflictError,
  beforeOf,
  type ChatAction,
  matchAnswers,
  type PendingAnswer,
  type RunHandle,
  type StartOptions,
  storedResult,
  toolsOf,
} from '../request';
import type { StoredJournal } from '../record';
import { MOST_TRIES, pauseBeforeNext, type RunReader } from '../lookup';
import type { PassedRun, RunEnqueuer } from './run-enqueuer';
import type { RunLauncher, RunSetup, ActiveRuns, SessionAccess, SessionWriter } from '../execution';
import { isTooLate, openAnswers } from './asked-answers';
import { tellAnswered } from './answer-taker';
import type { AnswerEffects, StoredAnswers } from './stored-answers';

type Match = (state: SessionState) => readonly PendingAnswer[];

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
export class RunResumer {
  constructor(
    private readonly services: LoopServices,
    private readonly sessions: SessionAccess,
    private readonly reader: RunReader,
    private readonly writer: SessionWriter,
    private readonly answers: StoredAnswers,
    private readonly active: ActiveRuns,
    private readonly launcher: RunLauncher,
    private readonly enqueuer: RunEnqueuer,
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
      const isGoingOn = state.run?.runId === runId && isUnderWay(state.run.status);
      const isOpen = state.openCalls.some(({ call }) => call.id === action.callId);
      // Other calls of the step still run, so the pending action is not stored yet.
      if (isGoingOn && isOpen) throw new SessionBusyError();
      return matchAnswers(state, runId, [action], 'application');
    });
  }

  /** @param match matches the answers with pending actions, or throws */
  private async takeUp(runId: string, options: ResumeOptions, match: Match): Promise<RunHandle> {
    const record = await this.sessions.findByRun(runId, options);
    // A late answer is refused even while the session is busy.
    const { state } = await this.reader.view(record, runId);
    match(state);
    const tools = this.services.clientTools.ofPage(options.frontendTools, options.tools);
    await this.services.quotas.check(options.principal);
    const isQueued = this.enqueuer.accepts(options);
    // The store counts the run by its lease, so that answers to one run count once.
    return this.active.admitted(options.principal, Infinity, async (leave) => {
      if (isQueued) await this.enqueuer.admit();
      const { id: sessionId, owner: principal } = record;
      const { frontendTools } = options;
      const claimed = { runId, sessionId, ...defined({ principal }) };
      const passed = isQueued
        ? await this.enqueuer.passed(claimed, options, { frontendTools })
        : undefined;
      const journal = await this.lock(record, runId, options, match);
      const setup = { options, journal, tools, leave };
      return this.launcher.prepared(setup, (run) =>
        this.proceed(run, match(journal.state), options, passed),
      );
    });
  }

  /**
   * Another answer to the same run holds its session only while it is stored.
   *
   * @param match throws once the run waits for these answers no more
   */
  private async lock(
    waiting: RunRecord,
    runId: string,
    options: ResumeOptions,
    match: Match,
  ): Promise<StoredJournal> {
    let record = waiting;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.writer.takeForRun(record, runId);
      } catch (error) {
        if (!(error instanceof SessionBusyError) || tries === MOST_TRIES) throw error;
      }
      await pauseBeforeNext();
      record = await this.sessions.findByRun(runId, options);
      match((await this.reader.view(record, runId)).state);
    }
  }

  private async proceed(
    run: RunContext,
    answers: readonly PendingAnswer[],
    options: ResumeOptions,
    passed: PassedRun | undefined,
  ): Promise<RunHandle> {
    const { journal } = run;
    const late = answers.filter(isTooLate);
    if (late[0]) {
      await this.answers.endLate(run, late);
      throw new ActionConflictError('expired', late[0].action.callId);
    }
    const taken = await this.answers.take(run, answers);
    if (pendingActionsOf(journal.state).length > answers.length) {
      await this.answers.waitOn(run, taken);
      return this.waitingOn(run);
    }
    const { before, ended } = this.answers.effectsOf(run, taken);
    if (passed === undefined) {
      return this.goOn(run, () => tellAnswered(run, taken), { before, ended });
    }
    return this.enqueuer.enqueue(run, passed, options, async (queued, as) => {
      await endCalls(run, this.services.calls, ended, {
        before,
        after: [queued],
        write: (...entries) => journal.close(entries, run.release, as),
      });
      tellAnswered(run, taken);
      tellResumed(run);
    });
  }

  /**
   * Stores answers in an asked agent's run, which still waits: the asking run continues it after
   * storing the same answers. Skips answers that are already stored.
   */
  async accept(
    setup: RunSetup & { readonly journal: StoredJournal },
    answers: readonly ChatAction[],
  ): Promise<void> {
    await this.launcher.prepared(setup, async (run) => {
      const open = openAnswers(run, answers);
      if (open.length === 0) return run.release();
      const late = open.filter(isTooLate);
      const taken = await this.answers.take(
        run,
        open.filter((each) => !isTooLate(each)),
      );
      const expiries = await this.answers.expire(run, late);
      await this.answers.waitOn(run, [...taken, ...expiries]);
    });
  }

  /** Checks answers to an asked agent's run as `accept` does, and stores nothing. */
  async check(
    setup: RunSetup & { readonly journal: StoredJournal },
    answers: readonly ChatAction[],
  ): Promise<void> {
    await this.launcher.prepared(setup, async (run) => {
      const open = openAnswers(run, answers);
      await this.answers.check(
        run,
        open.filter((each) => !isTooLate(each)),
      );
      await run.release();
    });
  }

  /** Continues an asked agent's run whose pending actions are all answered. */
  resumeAsked(setup: RunSetup): Promise<RunHandle> {
    return this.launcher.prepared(setup, (run) => this.goOn(run, () => undefined));
  }

  /** Continues the run with its approved calls. */
  private async goOn(
    run: RunContext,
    tell: () => void,
    { before, ended }: AnswerEffects = { before: [], ended: [] },
  ): Promise<RunHandle> {
    const { runId, journal } = run;
    const request = await storedRequest(run, this.services);
    const resumed = { type: 'run.resumed', runId } as const;
    await endCalls(run, this.services.calls, ended, { before, after: [resumed] });
    return this.launcher.launch(run, request, {
      approved: approvedCalls(journal.state),
      tell: () => {
        tell();
        tellResumed(run);
      },
    });
  }

  /**
   * The handle of a run with other pending actions: its events end with the results of these
   * answers.
   */
  private waitingOn(run: RunContext): RunHandle {
    const { runId, sessionId = '', journal, emitter } = run;
    const result = storedResult(
      sessionId,
      journal.state,
      toolsOf(this.services.catalog, run.tools),
    );
    return {
      runId,
      sessionId,
      ...beforeOf(journal.state.run, emitter.feed.offset),
      events: (after) => emitter.feed.read(after),
      finished: Promise.resolve(result),
      cancel: () => undefined,
    };
  }
}

/** Tells telemetry that the wait is over: the run continues, here or in a worker. */
function tellResumed(run: RunContext): void {
  run.telemetry.event(() => ({ type: 'resumed', ...runOriginOf(run) }));
}

function approvedCalls(state: SessionState): readonly RequestedCall[] {
  return state.openCalls.flatMap(({ call, started: hasStarted }) => {
    const { answer } = actionOf(state, call.id) ?? {};
    if (answer?.type !== 'approve' && !hasAsked(state, call.id)) return [];
    return [{ use: call, isApproved: true, hasStarted }];
  });
}
