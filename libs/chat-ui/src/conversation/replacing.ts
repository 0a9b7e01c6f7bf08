import { asking, mayReplace, saysNothing, type Problem, type Said, type UserTurn } from '../state';
import { isStatus, unexpectedAnswer, type AgentEvent, type EventStream } from '../wire';
import type { Draft } from './draft';
import { problemOf } from './problem-of';
import type { RunLine } from './run.line';

/**
 * Says messages in the place of earlier ones. The old turns stay until the new run has begun: if the
 * server refuses, nothing is lost.
 */
export class Replacing {
  private awaited: AbortSignal | undefined;

  constructor(
    private readonly line: RunLine,
    private readonly draft: Draft,
  ) {}

  /** A message is on its way, and its run has not begun. */
  get isWaiting(): boolean {
    return this.awaited?.aborted === false;
  }

  /**
   * Says other words, with the same attachments. Returns the problem if no run began and the
   * message is not kept elsewhere.
   */
  async edit(runId: string, text: string): Promise<Problem | undefined> {
    const { signal, state } = this.line;
    const message = state.turns.find(
      (turn): turn is UserTurn => turn.role === 'user' && turn.runId === runId,
    );
    const { attachments } = message ?? {};
    const said: Said = { text, ...(attachments && { attachments }) };
    try {
      await this.replace(message, said, signal);
    } catch (error) {
      if (signal.aborted) return { code: 'stopped', message: state.texts.problems.stopped };
      if (!isStatus(error, 401)) return problemOf(error, state.texts);
      this.draft.giveBack(said);
      this.line.store.update({ problem: problemOf(error, state.texts) });
    }
    return undefined;
  }

  /** Returns the problem, which is also shown. */
  async regenerate(): Promise<Problem | undefined> {
    const { signal, state, store } = this.line;
    const asked = state.turns.findLast((turn) => turn.role === 'user');
    try {
      if (asked?.runId !== undefined) await this.replace(asked, asked, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const problem = problemOf(error, state.texts);
      store.update({ problem });
      return problem;
    }
    return undefined;
  }

  /** @throws ApiError or the error of the connection */
  private async replace(
    message: UserTurn | undefined,
    said: Said,
    signal: AbortSignal,
  ): Promise<void> {
    const { line } = this;
    const { store } = line;
    if (message === undefined || saysNothing(said) || !mayReplace(store.state)) return;
    const body = { ...line.bodyOf(said), replaceRun: message.runId };
    store.update({ connection: 'streaming', problem: undefined });
    this.awaited = signal;
    let stream: EventStream;
    try {
      stream = await begun(await line.api.chat(body, signal));
      signal.throwIfAborted();
    } catch (error) {
      // A conversation that was left does something else by now.
      if (!signal.aborted) store.update({ connection: 'idle' });
      throw error;
    } finally {
      if (this.awaited === signal) this.awaited = undefined;
    }
    store.update(({ turns }) => ({
      turns: [...turns.slice(0, turns.indexOf(message)), ...asking(said)],
    }));
    await line.follow(() => Promise.resolve(stream));
  }
}

/** The same stream, once it has its first event. */
async function begun(stream: EventStream): Promise<EventStream> {
  const events = stream[Symbol.asyncIterator]();
  const first = await events.next();
  if (first.done) throw unexpectedAnswer();
  return (async function* (): AsyncGenerator<AgentEvent, void, undefined> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => events };
  })();
}
