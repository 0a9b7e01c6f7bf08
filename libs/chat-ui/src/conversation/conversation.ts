import type { BrowserToolContext } from '../browser-tools/browser-tool';
import type { ToolBox } from '../browser-tools/tool-box';
import { applyEvent } from '../state/apply-event';
import { currentTurn, openApprovals, type AgentTurn, type Problem } from '../state/chat-state';
import type { ChatStore } from '../state/store';
import { emptyTurn, turnsOf, withoutLastAnswer } from '../state/turns-of-messages';
import { ApiError, type ActionBody, type AgentApi } from '../wire/agent-api';
import type { AgentEvent, JsonObject, RunSnapshot } from '../wire/protocol';
import { Patience } from './patience';

export interface ConversationOptions {
  readonly api: AgentApi;
  readonly store: ChatStore;
  readonly tools: ToolBox;
  readonly environment: () => readonly string[];
  /** Told of every event once, and of each change of session. */
  readonly onEvent: (event: AgentEvent) => void;
  readonly onSession: (sessionId: string | undefined, runId: string | undefined) => void;
  readonly onRefused: (problem: ApiError) => void;
}

export interface ApprovalAnswer {
  readonly approve: boolean;
  /** The arguments, where the user changed them. */
  readonly input?: JsonObject;
  readonly remember?: boolean;
}

let lastKey = 0;

/** One conversation with the agent: says things, follows runs through lost connections, answers. */
export class Conversation {
  private line = new AbortController();
  /** Lives as long as the run that browser tools work for. */
  private work = new AbortController();
  private readonly served = new Set<string>();
  private pending: RunSnapshot['pendingActions'] = [];
  private readonly patience = new Patience();

  constructor(private readonly options: ConversationOptions) {}

  get isRunning(): boolean {
    return this.state.connection !== 'idle';
  }

  async send(message: string): Promise<void> {
    if (this.isRunning || message.trim() === '') return;
    const { api, tools, environment, store } = this.options;
    const { sessionId } = this.state;
    store.update(({ turns }) => ({
      problem: undefined,
      turns: [
        ...turns.map((turn) => (turn.role === 'agent' ? declined(turn) : turn)),
        { role: 'user', key: nextKey(), text: message },
        { ...emptyTurn(nextKey()), status: 'running' },
      ],
    }));
    const frontendTools = tools.definitions();
    const environmentContext = environment();
    await this.follow((signal) =>
      api.chat(
        {
          message,
          ...(sessionId !== undefined && { sessionId }),
          ...(frontendTools.length > 0 && { frontendTools }),
          ...(environmentContext.length > 0 && { environmentContext }),
        },
        signal,
      ),
    );
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
    const { runId } = currentTurn(this.state) ?? {};
    if (!this.isRunning) return;
    this.work.abort();
    if (runId === undefined) {
      this.hangUp();
      this.settle({ status: 'cancelled' });
      return;
    }
    try {
      await this.options.api.cancel(runId, this.state.sessionId);
    } catch (error) {
      // Nobody answers: at least this page stops listening.
      this.hangUp();
      this.settle({ status: 'cancelled', error: problemOf(error) });
    }
  }

  async answer(callId: string, { approve, input, remember }: ApprovalAnswer): Promise<void> {
    const turn = currentTurn(this.state);
    if (turn?.runId === undefined || this.isRunning) return;
    const action: ActionBody = approve
      ? { callId, type: 'approve', ...(input && { input }), ...(remember && { remember }) }
      : { callId, type: 'reject' };
    this.mark(callId, approve ? 'approved' : 'rejected');
    const problem = await this.act(turn.runId, action);
    if (problem !== undefined) this.reopen(callId, problem);
  }

  /** Leaves the conversation; the server's session stays. */
  reset(): void {
    this.hangUp();
    this.served.clear();
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
    const { api, store } = this.options;
    const { signal } = this.line;
    store.update({ sessionId, isLoading: true });
    try {
      const run = runId === undefined ? undefined : await this.snapshot(runId, sessionId);
      const turns = turnsOf(await api.messages(sessionId));
      if (signal.aborted) return;
      store.update({ turns, isLoading: false });
      this.options.onSession(sessionId, runId);
      if (run !== undefined) await this.rejoin(run);
    } catch (error) {
      if (signal.aborted) return;
      const isGone = error instanceof ApiError && error.status === 404;
      if (isGone) this.reset();
      this.report(error);
      store.update({
        isLoading: false,
        problem: isGone
          ? { code: 'session_not_found', message: 'That conversation is no longer there.' }
          : problemOf(error),
      });
    }
  }

  /** Stops listening, without a word to the server. */
  hangUp(): void {
    this.work.abort();
    this.line.abort();
    this.line = new AbortController();
  }

  private get state(): ChatStore['state'] {
    return this.options.store.state;
  }

  private async snapshot(runId: string, sessionId: string): Promise<RunSnapshot | undefined> {
    try {
      return await this.options.api.run(runId, sessionId);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** The run's own events write its answer again, from the first one on. */
  private async rejoin(run: RunSnapshot): Promise<void> {
    if (run.status === 'running') {
      this.options.store.update(({ turns }) => ({
        turns: [
          ...withoutLastAnswer(turns),
          { ...emptyTurn(nextKey()), runId: run.runId, status: 'running' },
        ],
      }));
      await this.follow((signal) => this.eventsFrom(signal));
      return;
    }
    if (run.status !== 'requires_action') return;
    this.edit((turn) => {
      let next: AgentTurn = { ...turn, runId: run.runId, status: run.status, usage: run.usage };
      for (const action of run.pendingActions) {
        if (action.type !== 'approval') continue;
        const { callId, name, input, expiresAt } = action;
        const event = { type: 'approval.required', callId, name, input, expiresAt } as const;
        next = applyEvent(
          next,
          { ...event, reason: 'It waits for your consent.', runId: run.runId, seq: next.seq + 1 },
          Date.now(),
        );
      }
      return { ...next, seq: 0 };
    });
    await this.serveParked(run.runId, run.pendingActions);
  }

  private eventsFrom(signal: AbortSignal): Promise<AsyncIterable<AgentEvent>> {
    const { runId = '', seq } = currentTurn(this.state) ?? { seq: 0 };
    return this.options.api.events(runId, seq, this.state.sessionId, signal);
  }

  /** Follows a run to its end, through as many connections as that takes. */
  private async follow(
    start: (signal: AbortSignal) => Promise<AsyncIterable<AgentEvent>>,
  ): Promise<unknown> {
    const { signal } = this.line;
    const { store } = this.options;
    store.update({ connection: 'streaming' });
    this.work = new AbortController();
    let connect = start;
    this.patience.reset();
    for (;;) {
      try {
        let isFinished = false;
        for await (const event of await connect(signal)) {
          if (signal.aborted) return undefined;
          store.update({ connection: 'streaming' });
          this.patience.reset();
          isFinished = this.take(event) || isFinished;
        }
        if (isFinished) return await this.finished();
        if (connect !== start && (await this.isSettledElsewhere())) return undefined;
      } catch (error) {
        if (signal.aborted) return undefined;
        const isAnswer = error instanceof ApiError;
        if (isAnswer && error.status < 500 && error.status !== 429) {
          this.report(error);
          if (connect !== start && error.status === 404) {
            this.settle({ status: 'failed', error: LOST });
            return LOST;
          }
          this.settle({ status: 'failed', error: problemOf(error) });
          return problemOf(error);
        }
        // A message that may never have arrived is not sent again without the user's word.
        if (currentTurn(this.state)?.runId === undefined) {
          this.settle({ status: 'failed', error: problemOf(error) });
          return problemOf(error);
        }
      }
      store.update({ connection: 'reconnecting' });
      await this.patience.wait(signal);
      if (signal.aborted) return undefined;
      connect = (each) => this.eventsFrom(each);
    }
  }

  /** Takes one event in; answers whether it ends the stream. */
  private take(event: AgentEvent): boolean {
    const turn = currentTurn(this.state);
    const isNew = turn !== undefined && event.seq > turn.seq;
    if (isNew) {
      this.edit((current) => applyEvent(current, event, Date.now()));
      if (event.type === 'run.started') {
        this.options.store.update({ sessionId: event.sessionId });
        this.options.onSession(event.sessionId, event.runId);
      }
      if (event.type === 'frontend.call') this.serveSoon(event);
      this.options.onEvent(event);
    }
    if (event.type === 'run.finished') this.pending = event.pendingActions;
    return event.type === 'run.finished';
  }

  private async finished(): Promise<unknown> {
    this.work.abort();
    this.options.store.update({ connection: 'idle' });
    const { runId, status } = currentTurn(this.state) ?? {};
    if (runId === undefined || status !== 'requires_action') return undefined;
    await this.serveParked(runId, this.pending);
    return undefined;
  }

  /** Where no events are left to read, the run itself says what became of it. */
  private async isSettledElsewhere(): Promise<boolean> {
    const { runId } = currentTurn(this.state) ?? {};
    const { sessionId } = this.state;
    if (runId === undefined || sessionId === undefined) return false;
    const run = await this.snapshot(runId, sessionId);
    if (run?.status === 'running') return false;
    this.options.store.update({ connection: 'idle' });
    await this.open(sessionId, runId);
    return true;
  }

  /** A replay may hold the call's result right behind the call, so it is looked at a moment later. */
  private serveSoon(event: Extract<AgentEvent, { type: 'frontend.call' }>): void {
    const { signal } = this.line;
    setTimeout(() => {
      const part = currentTurn(this.state)?.parts.find(
        (each) => each.type === 'tool' && each.callId === event.callId,
      );
      const isOpen = part?.type === 'tool' && part.output === undefined;
      if (!signal.aborted && isOpen) void this.serve(event, this.work.signal);
    }, 0);
  }

  private async serve(
    call: { readonly callId: string; readonly name: string; readonly input: JsonObject },
    signal: AbortSignal,
  ): Promise<void> {
    if (this.served.has(call.callId)) return;
    this.served.add(call.callId);
    const { sessionId = '' } = this.state;
    const context: BrowserToolContext = { callId: call.callId, sessionId, signal };
    const outcome = await this.options.tools.run(call.name, call.input, context);
    if (signal.aborted) return;
    const body = { sessionId, callId: call.callId, ...outcome };
    await this.options.api.deliver(body).catch((error: unknown) => this.report(error));
  }

  /** Browser tools that a run without an open stream waits for. */
  private async serveParked(runId: string, pending: RunSnapshot['pendingActions']): Promise<void> {
    const { signal } = this.line;
    for (const { type, callId, name, input } of pending) {
      if (type !== 'frontend' || this.served.has(callId) || signal.aborted) continue;
      this.served.add(callId);
      const sessionId = this.state.sessionId ?? '';
      const outcome = await this.options.tools.run(name, input, { callId, sessionId, signal });
      await this.act(runId, { callId, type: 'result', ...outcome });
    }
  }

  /** Sends one answer and follows the run on; answers what was wrong with the answer. */
  private async act(runId: string, action: ActionBody): Promise<Problem | undefined> {
    const { api, tools } = this.options;
    const frontendTools = tools.definitions();
    const body = {
      actions: [action],
      ...(frontendTools.length > 0 && { frontendTools }),
    };
    let stream: AsyncIterable<AgentEvent>;
    const { signal } = this.line;
    this.options.store.update({ connection: 'streaming' });
    try {
      stream = await api.act(runId, body, this.state.sessionId, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof ApiError && error.code === 'already_resolved') {
        // An earlier try arrived although its answer did not: the run has gone on.
        await this.follow((each) => this.eventsFrom(each));
        return undefined;
      }
      this.options.store.update({ connection: 'idle' });
      this.report(error);
      return problemOf(error);
    }
    if (openApprovals(currentTurn(this.state)).length === 0) {
      this.edit((turn) => ({ ...turn, status: 'running' }));
    }
    await this.follow(() => Promise.resolve(stream));
    return undefined;
  }

  private mark(callId: string, answer: 'approved' | 'rejected'): void {
    this.editApproval(callId, { answer, problem: undefined });
  }

  private reopen(callId: string, problem: Problem): void {
    this.editApproval(callId, { answer: undefined, problem: problem.message });
  }

  private editApproval(
    callId: string,
    change: { readonly answer?: 'approved' | 'rejected'; readonly problem?: string },
  ): void {
    this.edit((turn) => ({
      ...turn,
      parts: turn.parts.map((part) =>
        part.type === 'tool' && part.callId === callId && part.approval
          ? { ...part, approval: { ...part.approval, ...change } }
          : part,
      ),
    }));
  }

  private edit(change: (turn: AgentTurn) => AgentTurn): void {
    this.options.store.update(({ turns }) => {
      const last = turns.at(-1);
      return last?.role === 'agent' ? { turns: [...turns.slice(0, -1), change(last)] } : {};
    });
  }

  private settle(change: Pick<AgentTurn, 'status'> & { readonly error?: Problem }): void {
    this.options.store.update({ connection: 'idle' });
    this.edit((turn) => ({ ...turn, ...change }));
  }

  private report(error: unknown): void {
    if (error instanceof ApiError) this.options.onRefused(error);
  }
}

const LOST: Problem = {
  code: 'run_lost',
  message: 'The connection was lost, and the rest of this answer can no longer be read.',
};

export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) {
    const message = error.status === 401 ? 'You are not logged in.' : error.message;
    return { code: error.code, message };
  }
  return { code: 'network', message: 'The server cannot be reached.' };
}

/** A new message declines what the run before it still asked for. */
function declined(turn: AgentTurn): AgentTurn {
  if (turn.status !== 'requires_action') return turn;
  const parts = turn.parts.map((part) =>
    part.type === 'tool' && part.approval && part.output === undefined && !part.approval.answer
      ? { ...part, approval: { ...part.approval, answer: 'rejected' as const } }
      : part,
  );
  return { ...turn, status: 'completed', parts };
}

function nextKey(): string {
  lastKey += 1;
  return `turn-${lastKey}`;
}
