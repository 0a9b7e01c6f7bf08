import { asking, declined, saysNothing, unsent, type Problem, type Said } from '../state';
import { Draft } from './draft';
import { Opening } from './opening';
import { Replacing } from './replacing';
import type { ApprovalAnswer } from './run-answers';
import { RunLine, type ConversationOptions } from './run.line';

/** After these error codes the message cannot be replaced, only repeated. */
const IRREPLACEABLE: readonly string[] = [
  'run_not_replaceable',
  'run_not_found',
  'session_not_found',
];

/** One conversation with the agent: the user's messages, edits, retries and approvals. */
export class Conversation {
  readonly draft: Draft;
  readonly opening: Opening;
  readonly line: RunLine;
  private readonly replacing: Replacing;

  constructor(options: ConversationOptions) {
    this.draft = new Draft(options.store);
    this.line = new RunLine(options, (sessionId, runId) => this.reopen(sessionId, runId));
    this.opening = new Opening(this.line, () => this.submit());
    this.replacing = new Replacing(this.line, this.draft);
  }

  /** Sends the draft, once the conversation is there that it belongs to. */
  async submit(): Promise<void> {
    const { line, draft, opening } = this;
    if (draft.reading) await draft.reading;
    const { said } = draft;
    if (line.isRunning || saysNothing(said)) return;
    if (line.isInterrupted) return opening.goOn();
    if (line.state.unopened) void opening.goOn();
    if (line.state.isLoading) {
      line.store.update({ isSendQueued: true });
      return;
    }
    draft.clear();
    await this.say(said);
  }

  /** Says something in the user's name. */
  async say(said: Said): Promise<void> {
    const { line, draft, opening } = this;
    if (line.state.isLoading) await opening.shown;
    if (line.isRunning || saysNothing(said)) return;
    const { turns, unopened } = line.state;
    const giveBack = (): void => {
      line.store.update({ turns });
      draft.giveBack(said);
    };
    if (unopened) {
      giveBack();
      return;
    }
    const before = turns.map((turn) => (turn.role === 'agent' ? declined(turn) : turn));
    line.store.update({ problem: undefined, turns: [...before, ...asking(said)] });
    await line.say(said, giveBack);
  }

  /** Says another message in the place of the one that began a run. Returns the problem, if any. */
  async edit(runId: string, message: string): Promise<Problem | undefined> {
    if (this.line.state.isLoading) await this.opening.shown;
    return this.replacing.edit(runId, message);
  }

  /** Requests another answer to the last message. */
  async regenerate(): Promise<void> {
    if (this.line.state.isLoading) await this.opening.shown;
    await this.replacing.regenerate();
  }

  /** Says the last message again, in the place of the run that failed where that is known. */
  async retry(): Promise<void> {
    const { line } = this;
    const { turns } = line.state;
    const index = turns.findLastIndex((turn) => turn.role === 'user');
    const turn = turns[index];
    if (turn?.role !== 'user' || line.isRunning) return;
    if (turn.runId !== undefined) {
      const problem = await this.replacing.regenerate();
      if (!problem || !IRREPLACEABLE.includes(problem.code)) return;
    }
    line.store.update({ turns: turns.slice(0, index) });
    await this.say(turn);
  }

  /** Stops the answer that is under way. */
  async stop(): Promise<void> {
    const { line } = this;
    if (!line.isRunning) return;
    if (!this.replacing.isWaiting) return line.cancel();
    line.hangUp();
    line.store.update({ connection: 'idle' });
  }

  answer(callId: string, answer: ApprovalAnswer): Promise<void> {
    return this.line.answers.give(callId, answer);
  }

  /** Shows the session as the server has it; a message that never got there goes into the box. */
  private reopen(sessionId: string, runId: string | undefined): Promise<void> {
    const message = unsent(this.line.state);
    if (message) this.draft.giveBack(message);
    return this.opening.open(sessionId, runId);
  }
}
