import type { ToolBox } from '../browser-tools';
import {
  CurrentTurn,
  emptyTurn,
  withoutLastAnswer,
  type AgentTurn,
  type ChatState,
  type ChatStore,
  type Said,
} from '../state';
import {
  isOutdated,
  type AgentApi,
  type AgentEvent,
  type ChatBody,
  type PendingAction,
  type RunAddress,
  type RunSnapshot,
} from '../wire';
import { BrowserCalls } from './browser-calls';
import { problemOf } from './problem-of';
import { RunAnswers } from './run-answers';
import { RunFollower, type Connect, type FollowEnd } from './run.follower';

export interface ConversationOptions {
  readonly api: AgentApi;
  readonly store: ChatStore;
  readonly tools: ToolBox;
  readonly environment: () => readonly string[];
  /** Called with every event once, and at each change of session. */
  readonly onEvent: (event: AgentEvent) => void;
  readonly onSession: (sessionId: string | undefined, runId: string | undefined) => void;
}

/** The line to the server, on which one run at a time is followed, and the work around it. */
export class RunLine {
  readonly api: AgentApi;
  readonly store: ChatStore;
  readonly tools: ToolBox;
  readonly turn: CurrentTurn;
  readonly answers = new RunAnswers(this);
  readonly calls = new BrowserCalls(this);
  private readonly follower = new RunFollower(this);
  /** Resolves once the message that is on its way was taken, or was refused. */
  answered: Promise<unknown> = Promise.resolve();
  private closing = new AbortController();
  private pending: readonly PendingAction[] = [];
  /** Takes a message back that is on its way, and may be too large to get there. */
  private takeBack: (() => void) | undefined;

  constructor(
    readonly options: ConversationOptions,
    /** Shows the session as the server has it. */
    readonly reopen: (sessionId: string, runId: string | undefined) => Promise<void>,
  ) {
    ({ api: this.api, store: this.store, tools: this.tools } = options);
    this.turn = new CurrentTurn(this.store);
  }

  get state(): ChatState {
    return this.store.state;
  }

  /** Aborted when the conversation is left, or the user gives up. */
  get signal(): AbortSignal {
    return this.closing.signal;
  }

  get isRunning(): boolean {
    return this.state.connection !== 'idle';
  }

  /** The answer was under way when its connection ended, and may be followed on. */
  get isInterrupted(): boolean {
    return !this.isRunning && this.turn.value?.status === 'running';
  }

  addressOf(runId: string): RunAddress {
    return { runId, sessionId: this.state.sessionId };
  }

  frontendTools() {
    const frontendTools = this.tools.definitions();
    return frontendTools.length > 0 ? { frontendTools } : {};
  }

  bodyOf({ text, attachments }: Said): ChatBody {
    const { sessionId } = this.state;
    const environmentContext = this.options.environment();
    return {
      ...(text.trim() !== '' && { message: text }),
      ...(attachments && { content: attachments }),
      ...(sessionId !== undefined && { sessionId }),
      ...this.frontendTools(),
      ...(environmentContext.length > 0 && { environmentContext }),
    };
  }

  /**
   * Sends a message and follows its run.
   *
   * @param giveBack called where the message met a missing log-in, another run or no session, or was refused as it is
   */
  say(said: Said, giveBack: () => void): Promise<void> {
    const body = this.bodyOf(said);
    this.takeBack = said.attachments && giveBack;
    return this.follow((signal) => {
      const answer = this.api.chat(body, signal);
      this.answered = answer.catch(() => undefined);
      return answer;
    }, giveBack);
  }

  /** Follows a run to its end, and then runs the browser calls that it waits for. */
  async follow(start: Connect, giveBack?: () => void, isReplay?: boolean): Promise<void> {
    this.calls.begin(isReplay);
    let end: FollowEnd;
    try {
      end = await this.follower.follow(start, this.signal);
    } catch (error) {
      if (this.turn.value?.runId === undefined) giveBack?.();
      const { sessionId: held } = this.state;
      const shown = isOutdated(error) && held ? this.reopen(held, undefined) : undefined;
      // After `reopen`, which begins with a page without problems.
      const problem = problemOf(error, this.state.texts);
      this.store.update({ problem });
      await shown;
      // The run that held the session has ended.
      if (shown && this.state.problem === problem) this.store.update({ problem: undefined });
      return;
    }
    const { runId, status } = this.turn.value ?? {};
    const { sessionId } = this.state;
    if (end === 'finished') {
      this.calls.end();
      if (runId && status === 'requires_action') await this.serveParked(runId, this.pending);
    }
    if (end === 'ended elsewhere' && sessionId) await this.reopen(sessionId, runId);
  }

  /**
   * A stored run is shown again: its own events write its answer, from the first one on. The
   * transcript has neither its pending actions and its error, nor the events of the agents that it
   * asks.
   */
  async rejoin({ runId, status }: RunSnapshot): Promise<void> {
    const turn: AgentTurn = { ...emptyTurn(), runId, status: 'running' };
    this.store.update(({ turns }) => ({ turns: [...withoutLastAnswer(turns), turn] }));
    const isUnderWay = status === 'queued' || status === 'running';
    await this.follow(this.follower.resume, undefined, !isUnderWay);
  }

  /** Goes on listening to the answer that was under way when `hangUp` was called. */
  async pickUp(): Promise<void> {
    if (!this.isInterrupted) return;
    if (this.turn.value?.runId === undefined) this.turn.settle({ status: 'cancelled' });
    else await this.follow(this.follower.resume);
  }

  /** Stops listening, without a word to the server. */
  hangUp(): void {
    this.calls.end();
    this.closing.abort();
    this.closing = new AbortController();
  }

  /** Cancels the run at the server; the words so far stay. */
  async cancel(): Promise<void> {
    this.calls.end();
    const { runId } = this.turn.value ?? {};
    try {
      if (runId !== undefined) return await this.api.cancel(this.addressOf(runId));
      this.hangUp();
      this.turn.settle({ status: 'cancelled' });
      this.takeBack?.();
      this.takeBack = undefined;
    } catch (error) {
      // The server does not answer: at least this page stops listening.
      this.hangUp();
      this.turn.settle({ status: 'cancelled', error: problemOf(error, this.state.texts) });
    }
  }

  /** Writes an event into the turn, if it is not in there. */
  hear(event: AgentEvent): void {
    const { turn, options } = this;
    if (turn.value === undefined || event.seq <= turn.value.seq) return;
    turn.apply(event);
    if (event.type === 'run.started') {
      this.store.update({ sessionId: event.sessionId });
      turn.begin(event.runId);
      this.takeBack = undefined;
      options.onSession(event.sessionId, event.runId);
    }
    if (event.type === 'frontend.call') this.calls.serveSoon(event);
    if (event.type === 'run.finished') this.pending = event.pendingActions;
    options.onEvent(event);
  }

  private serveParked(runId: string, pending: readonly PendingAction[]): Promise<void> {
    return this.calls.serveParked(pending, (action) => this.answers.send(runId, action));
  }
}
