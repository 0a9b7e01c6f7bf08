import type { ToolBox } from '../browser-tools/tool-box';
import { saysNothing, type Attachment, type Said } from '../state/attachment';
import type { AgentTurn, Problem } from '../state/chat-state';
import { CurrentTurn, declined } from '../state/current-turn';
import { withApprovals } from '../state/pending-approvals';
import type { ChatStore } from '../state/store';
import { emptyTurn, turnsOf, withoutLastAnswer } from '../state/turns-of-messages';
import type { AgentApi, ChatBody } from '../wire/agent-api';
import { ApiError } from '../wire/api-error';
import type { AgentEvent, RunSnapshot } from '../wire/protocol';
import { Attaching } from './attaching';
import { BrowserCalls } from './browser-calls';
import { asking, nextKey } from './new-turns';
import { problemOf } from './problem-of';
import { Replacing } from './replacing';
import { RunAnswers, type ApprovalAnswer } from './run-answers';
import { RunFollower, type Connect, type FollowEnd } from './run.follower';

export interface ConversationOptions {
  readonly api: AgentApi;
  readonly store: ChatStore;
  readonly tools: ToolBox;
  readonly environment: () => readonly string[];
  /** Told of every event once, and of each change of session. */
  readonly onEvent: (event: AgentEvent) => void;
  readonly onSession: (sessionId: string | undefined, runId: string | undefined) => void;
}

const GONE: Problem = {
  code: 'session_not_found',
  message: 'That conversation is no longer there.',
};

/** Where these are the answer, the question can only be said once more. */
const IRREPLACEABLE: readonly string[] = ['run_not_replaceable', 'run_not_found'];

/** One conversation with the agent: says things, opens and leaves sessions, answers approvals. */
export class Conversation {
  private line = new AbortController();
  private pending: RunSnapshot['pendingActions'] = [];
  private opening: Promise<void> = Promise.resolve();
  private readonly turn: CurrentTurn;
  private readonly calls: BrowserCalls;
  private readonly follower: RunFollower;
  private readonly answers: RunAnswers;
  private readonly replacing: Replacing;
  private readonly attaching: Attaching;
  /** Takes back what is on its way, and may be too large to get there. */
  private takeBack: (() => void) | undefined;

  constructor(private readonly options: ConversationOptions) {
    const { api, store, tools } = options;
    this.turn = new CurrentTurn(store);
    this.attaching = new Attaching(store);
    this.calls = new BrowserCalls({
      api,
      tools,
      turn: this.turn,
      sessionId: () => this.state.sessionId,
    });
    const onEvent = (event: AgentEvent): void => this.heard(event);
    this.follower = new RunFollower({ api, store, turn: this.turn, onEvent });
    this.answers = new RunAnswers({
      api,
      store,
      turn: this.turn,
      line: () => this.line.signal,
      frontendTools: () => this.frontendTools(),
      follow: (stream) => this.follow(() => Promise.resolve(stream)),
      reopen: (sessionId, runId) => this.open(sessionId, runId),
    });
    this.replacing = new Replacing({
      api,
      store,
      line: () => this.line.signal,
      bodyOf: (said) => this.bodyOf(said),
      follow: (stream) => this.follow(() => Promise.resolve(stream)),
      giveBack: (said) => this.giveBack(said),
    });
  }

  get isRunning(): boolean {
    return this.state.connection !== 'idle';
  }

  /** The answer was under way when its connection ended, and may be followed on. */
  get isInterrupted(): boolean {
    return !this.isRunning && this.turn.value?.status === 'running';
  }

  /** What the user writes; it stays there until it is sent. */
  write(draft: string): void {
    this.options.store.update({ draft });
  }

  /** Puts pictures and files beside it. */
  attach(files: readonly File[]): void {
    void this.attaching.add(files);
  }

  detach(attachment: Attachment): void {
    this.attaching.remove(attachment);
  }

  /** Sends what the user has written and attached, once the conversation is there that it belongs to. */
  async submit(): Promise<void> {
    const { store } = this.options;
    if (this.attaching.isReading) await this.attaching.isReading;
    const { draft, attachments, unopened } = this.state;
    const said: Said = { text: draft.trim(), ...(attachments.length > 0 && { attachments }) };
    if (this.isRunning || saysNothing(said)) return;
    if (this.isInterrupted) return this.goOn();
    if (unopened) void this.goOn();
    if (this.state.isLoading) {
      store.update({ isSendQueued: true });
      return;
    }
    store.update({ draft: '', attachments: [], attachmentNews: '' });
    await this.say(said);
  }

  send(message: string): Promise<void> {
    return this.say({ text: message });
  }

  private async say(said: Said): Promise<void> {
    if (this.state.isLoading) await this.opening;
    if (this.isRunning || saysNothing(said)) return;
    const { api, store } = this.options;
    const { turns, unopened } = this.state;
    const giveBack = (): void => {
      store.update({ turns });
      this.giveBack(said);
    };
    if (unopened) {
      giveBack();
      return;
    }
    const before = turns.map((turn) => (turn.role === 'agent' ? declined(turn) : turn));
    store.update({ problem: undefined, turns: [...before, ...asking(said)] });
    const body = this.bodyOf(said);
    this.takeBack = said.attachments && giveBack;
    // What met a missing log-in, or was refused as it is, was never taken.
    await this.follow((signal) => api.chat(body, signal), giveBack);
  }

  /** Says another message in the place of the one that began a run; answers what was wrong with it. */
  async edit(runId: string, message: string): Promise<Problem | undefined> {
    if (this.state.isLoading) await this.opening;
    return this.replacing.edit(runId, message);
  }

  /** Has the last message answered anew. */
  async regenerate(): Promise<void> {
    if (this.state.isLoading) await this.opening;
    await this.replacing.regenerate();
  }

  /** Says the last message again, in the place of the run that failed where that is known. */
  async retry(): Promise<void> {
    const { turns } = this.state;
    const index = turns.findLastIndex((turn) => turn.role === 'user');
    const turn = turns[index];
    if (turn?.role !== 'user' || this.isRunning) return;
    if (turn.runId !== undefined) {
      const problem = await this.replacing.regenerate();
      if (!problem || !IRREPLACEABLE.includes(problem.code)) return;
    }
    this.options.store.update({ turns: turns.slice(0, index) });
    await this.say(turn);
  }

  /** Cancels the run at the server; what it has said stays. */
  async stop(): Promise<void> {
    const { runId } = this.turn.value ?? {};
    if (!this.isRunning) return;
    if (this.replacing.isWaiting) {
      this.hangUp();
      this.options.store.update({ connection: 'idle' });
      return;
    }
    this.calls.end();
    if (runId === undefined) {
      this.hangUp();
      this.turn.settle({ status: 'cancelled' });
      this.takeBack?.();
      this.takeBack = undefined;
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

  answer(callId: string, answer: ApprovalAnswer): Promise<void> {
    return this.answers.give(callId, answer);
  }

  /** Leaves the conversation; the server's session stays. */
  reset(): void {
    this.leaveFor(undefined);
    this.options.onSession(undefined, undefined);
  }

  /** Shows a stored session, and follows its run where one is under way. */
  open(sessionId: string, runId?: string): Promise<void> {
    this.leaveFor(sessionId);
    this.options.onSession(sessionId, runId);
    this.opening = this.load(sessionId, runId);
    return this.opening;
  }

  /** Does what a missing log-in or a lost connection left undone. */
  async goOn(): Promise<void> {
    const { unopened } = this.state;
    if (unopened) return this.open(unopened.sessionId, unopened.runId);
    if (!this.isInterrupted) return;
    this.options.store.update({ problem: undefined });
    await this.pickUp();
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

  private leaveFor(sessionId: string | undefined): void {
    this.hangUp();
    this.calls.forget();
    this.options.store.update({
      turns: [],
      sessionId,
      problem: undefined,
      connection: 'idle',
      isLoading: sessionId !== undefined,
      unopened: undefined,
      isSendQueued: false,
    });
  }

  private async load(sessionId: string, runId: string | undefined): Promise<void> {
    const { api, store } = this.options;
    const { signal } = this.line;
    try {
      const run = runId === undefined ? undefined : await api.runIfAny(runId, sessionId);
      const turns = turnsOf(await api.messages(sessionId));
      if (signal.aborted) return;
      const { isSendQueued } = this.state;
      store.update({ turns, isLoading: false, isSendQueued: false });
      if (run?.status === 'running' || run?.status === 'requires_action') await this.rejoin(run);
      else if (isSendQueued) await this.submit();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status === 404) {
        this.reset();
        store.update({ problem: GONE });
        return;
      }
      const unopened = { sessionId, runId };
      store.update({ isLoading: false, isSendQueued: false, unopened, problem: problemOf(error) });
    }
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
    this.turn.edit((turn) => withApprovals({ ...turn, runId, status, usage }, pendingActions));
    await this.serveParked(runId, pendingActions);
  }

  /** Follows a run to its end, and does what is left to do then. */
  private async follow(start: Connect, giveBack?: () => void): Promise<void> {
    this.calls.begin();
    let end: FollowEnd;
    try {
      end = await this.follower.follow(start, this.line.signal);
    } catch (error) {
      if (this.turn.value?.runId === undefined) giveBack?.();
      this.options.store.update({ problem: problemOf(error) });
      return;
    }
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
      this.turn.begin(event.runId);
      this.takeBack = undefined;
      this.options.onSession(event.sessionId, event.runId);
    }
    if (event.type === 'frontend.call') this.calls.serveSoon(event, this.line.signal);
    if (event.type === 'run.finished') this.pending = event.pendingActions;
    this.options.onEvent(event);
  }

  private serveParked(runId: string, pending: RunSnapshot['pendingActions']): Promise<void> {
    return this.calls.serveParked(pending, this.line.signal, (action) =>
      this.answers.send(runId, action),
    );
  }

  private bodyOf({ text, attachments }: Said): ChatBody {
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

  /** Puts a message that was not taken back into the box. */
  private giveBack({ text, attachments = [] }: Said): void {
    this.options.store.update((state) => ({
      draft: [text, state.draft].filter((each) => each.trim() !== '').join('\n'),
      attachments: [...attachments, ...state.attachments],
    }));
  }

  private frontendTools() {
    const frontendTools = this.options.tools.definitions();
    return frontendTools.length > 0 ? { frontendTools } : {};
  }
}
