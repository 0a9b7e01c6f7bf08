import type { ToolBox } from '../browser-tools/tool-box';
import { applyEvent } from '../state/apply-event';
import { openApprovals, type AgentTurn, type Problem } from '../state/chat-state';
import { CurrentTurn, declined } from '../state/current-turn';
import type { ChatStore } from '../state/store';
import { emptyTurn, turnsOf, withoutLastAnswer } from '../state/turns-of-messages';
import { ApiError, type ActionBody, type AgentApi } from '../wire/agent-api';
import type { AgentEvent, JsonObject, RunSnapshot } from '../wire/protocol';
import { BrowserCalls } from './browser-calls';
import { problemOf } from './problem-of';
import { RunFollower, type Connect } from './run.follower';

export interface ConversationOptions {
  readonly api: AgentApi;
  readonly store: ChatStore;
  readonly tools: ToolBox;
  readonly environment: () => readonly string[];
  /** Told of every event once, and of each change of session. */
  readonly onEvent: (event: AgentEvent) => void;
  readonly onSession: (sessionId: string | undefined, runId: string | undefined) => void;
  readonly onRefused: (error: unknown) => void;
}

export interface ApprovalAnswer {
  readonly approve: boolean;
  /** The arguments, where the user changed them. */
  readonly input?: JsonObject;
  readonly remember?: boolean;
}

const GONE: Problem = {
  code: 'session_not_found',
  message: 'That conversation is no longer there.',
};

let lastKey = 0;

/** One conversation with the agent: says things, opens and leaves sessions, answers approvals. */
export class Conversation {
  private line = new AbortController();
  private pending: RunSnapshot['pendingActions'] = [];
  private readonly turn: CurrentTurn;
  private readonly calls: BrowserCalls;
  private readonly follower: RunFollower;

  constructor(private readonly options: ConversationOptions) {
    const { api, store, tools, onRefused } = options;
    this.turn = new CurrentTurn(store);
    this.calls = new BrowserCalls({
      api,
      tools,
      turn: this.turn,
      sessionId: () => this.state.sessionId,
      onRefused,
    });
    const onEvent = (event: AgentEvent): void => this.heard(event);
    this.follower = new RunFollower({ api, store, turn: this.turn, onEvent, onRefused });
  }

  get isRunning(): boolean {
    return this.state.connection !== 'idle';
  }

  async send(message: string): Promise<void> {
    if (this.isRunning || message.trim() === '') return;
    const { api, environment, store } = this.options;
    const { sessionId } = this.state;
    store.update(({ turns }) => ({
      problem: undefined,
      turns: [
        ...turns.map((turn) => (turn.role === 'agent' ? declined(turn) : turn)),
        { role: 'user', key: nextKey(), text: message },
        { ...emptyTurn(nextKey()), status: 'running' },
      ],
    }));
    const environmentContext = environment();
    const body = {
      message,
      ...(sessionId !== undefined && { sessionId }),
      ...this.frontendTools(),
      ...(environmentContext.length > 0 && { environmentContext }),
    };
    await this.follow((signal) => api.chat(body, signal));
  }

  /** Says the last message again, where its answer failed. */
  async retry(): Promise<void> {
    const { turns } = this.state;
    const index = turns.findLastIndex((turn) => turn.role === 'user');
    const turn = turns[index];
    if (turn?.role !== 'user' || this.isRunning) return;
    this.options.store.update({ turns: turns.slice(0, index) });
    await this.send(turn.text);
  }

  /** Cancels the run at the server; what it has said stays. */
  async stop(): Promise<void> {
    const { runId } = this.turn.value ?? {};
    if (!this.isRunning) return;
    this.calls.end();
    if (runId === undefined) {
      this.hangUp();
      this.turn.settle({ status: 'cancelled' });
      return;
    }
    try {
      await this.options.api.cancel(runId, this.state.sessionId);
    } catch (error) {
      // Nobody answers: at least this page stops listening.
      this.hangUp();
      this.turn.settle({ status: 'cancelled', error: problemOf(error) });
    }
  }

  async answer(callId: string, { approve, input, remember }: ApprovalAnswer): Promise<void> {
    const { runId } = this.turn.value ?? {};
    if (runId === undefined || this.isRunning) return;
    const action: ActionBody = approve
      ? { callId, type: 'approve', ...(input && { input }), ...(remember && { remember }) }
      : { callId, type: 'reject' };
    const answer = approve ? 'approved' : 'rejected';
    this.turn.editApproval(callId, { problem: undefined });
    const onAccepted = (): void => this.turn.editApproval(callId, { answer });
    const problem = await this.act(runId, action, onAccepted);
    if (problem) this.turn.editApproval(callId, { problem: problem.message });
  }

  /** Leaves the conversation; the server's session stays. */
  reset(): void {
    this.hangUp();
    this.calls.forget();
    this.options.store.update({
      turns: [],
      sessionId: undefined,
      problem: undefined,
      connection: 'idle',
      isLoading: false,
    });
    this.options.onSession(undefined, undefined);
  }

  /** Shows a stored session, and follows its run where one is under way. */
  async open(sessionId: string, runId?: string): Promise<void> {
    this.reset();
    const { api, store, onRefused } = this.options;
    const { signal } = this.line;
    store.update({ sessionId, isLoading: true });
    try {
      const run = runId === undefined ? undefined : await api.runIfAny(runId, sessionId);
      const turns = turnsOf(await api.messages(sessionId));
      if (signal.aborted) return;
      store.update({ turns, isLoading: false });
      this.options.onSession(sessionId, runId);
      if (run !== undefined) await this.rejoin(run);
    } catch (error) {
      if (signal.aborted) return;
      const isGone = error instanceof ApiError && error.status === 404;
      if (isGone) this.reset();
      onRefused(error);
      store.update({ isLoading: false, problem: isGone ? GONE : problemOf(error) });
    }
  }

  /** Stops listening, without a word to the server. */
  hangUp(): void {
    this.calls.end();
    this.line.abort();
    this.line = new AbortController();
  }

  /** Goes on listening to the answer that was under way when `hangUp` was called. */
  async pickUp(): Promise<void> {
    const { runId, status } = this.turn.value ?? {};
    if (status !== 'running' || this.isRunning) return;
    if (runId === undefined) this.turn.settle({ status: 'cancelled' });
    else await this.follow(this.follower.resume);
  }

  private get state(): ChatStore['state'] {
    return this.options.store.state;
  }

  /** The run's own events write its answer again, from the first one on. */
  private async rejoin(run: RunSnapshot): Promise<void> {
    const { runId, status, usage, pendingActions } = run;
    if (status === 'running') {
      const turn: AgentTurn = { ...emptyTurn(nextKey()), runId, status };
      this.options.store.update(({ turns }) => ({ turns: [...withoutLastAnswer(turns), turn] }));
      await this.follow(this.follower.resume);
      return;
    }
    if (status !== 'requires_action') return;
    this.turn.edit((turn) => withApprovals({ ...turn, runId, status, usage }, pendingActions));
    await this.serveParked(runId, pendingActions);
  }

  /** Follows a run to its end, and does what is left to do then. */
  private async follow(start: Connect): Promise<void> {
    this.calls.begin();
    const end = await this.follower.follow(start, this.line.signal);
    const { runId, status } = this.turn.value ?? {};
    if (end === 'finished') {
      this.calls.end();
      if (runId !== undefined && status === 'requires_action') {
        await this.serveParked(runId, this.pending);
      }
    }
    const { sessionId } = this.state;
    if (end === 'ended elsewhere' && sessionId !== undefined) await this.open(sessionId, runId);
  }

  private heard(event: AgentEvent): void {
    if (event.type === 'run.started') {
      this.options.store.update({ sessionId: event.sessionId });
      this.options.onSession(event.sessionId, event.runId);
    }
    if (event.type === 'frontend.call') this.calls.serveSoon(event, this.line.signal);
    if (event.type === 'run.finished') this.pending = event.pendingActions;
    this.options.onEvent(event);
  }

  private serveParked(runId: string, pending: RunSnapshot['pendingActions']): Promise<void> {
    return this.calls.serveParked(pending, this.line.signal, (action) => this.act(runId, action));
  }

  /** Sends one answer and follows the run on; answers what was wrong with the answer. */
  private async act(
    runId: string,
    action: ActionBody,
    onAccepted?: () => void,
  ): Promise<Problem | undefined> {
    const { api, store, onRefused } = this.options;
    const { signal } = this.line;
    const { sessionId } = this.state;
    let stream: AsyncIterable<AgentEvent>;
    store.update({ connection: 'streaming' });
    try {
      const body = { actions: [action], ...this.frontendTools() };
      stream = await api.act(runId, body, sessionId, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const isResolved = error instanceof ApiError && error.code === 'already_resolved';
      if (isResolved && sessionId !== undefined) {
        // Another tab answered, or an earlier try of this one: the server knows what, and what came of it.
        await this.open(sessionId, runId);
        return undefined;
      }
      store.update({ connection: 'idle' });
      onRefused(error);
      return problemOf(error);
    }
    onAccepted?.();
    if (openApprovals(this.turn.value).length === 0) {
      this.turn.edit((turn) => ({ ...turn, status: 'running' }));
    }
    await this.follow(() => Promise.resolve(stream));
    return undefined;
  }

  private frontendTools() {
    const frontendTools = this.options.tools.definitions();
    return frontendTools.length > 0 ? { frontendTools } : {};
  }
}

/** A stored turn with what its run waits for. */
function withApprovals(turn: AgentTurn, pending: RunSnapshot['pendingActions']): AgentTurn {
  let next = turn;
  for (const { type, callId, name, input, expiresAt } of pending) {
    if (type !== 'approval') continue;
    const seq = next.seq + 1;
    const reason = 'It waits for your consent.';
    const { runId = '' } = turn;
    next = applyEvent(
      next,
      { type: 'approval.required', callId, name, input, expiresAt, reason, runId, seq },
      Date.now(),
    );
  }
  return { ...next, seq: 0 };
}

function nextKey(): string {
  lastKey += 1;
  return `turn-${lastKey}`;
}
