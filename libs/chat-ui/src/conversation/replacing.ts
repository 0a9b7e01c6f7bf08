import { saysNothing, type Said } from '../state/attachment';
import { mayReplace, type Problem, type UserTurn } from '../state/chat-state';
import type { ChatStore } from '../state/store';
import type { AgentApi, ChatBody } from '../wire/agent-api';
import { ApiError, unexpectedAnswer } from '../wire/api-error';
import type { AgentEvent } from '../wire/protocol';
import { asking } from './new-turns';
import { problemOf } from './problem-of';

export interface ReplacingOptions {
  readonly api: AgentApi;
  readonly store: ChatStore;
  /** Aborted when the conversation is left, or the user gives up. */
  readonly line: () => AbortSignal;
  readonly bodyOf: (said: Said) => ChatBody;
  /** Follows the run that has begun. */
  readonly follow: (stream: AsyncIterable<AgentEvent>) => Promise<void>;
  /** Keeps a message that met a missing log-in. */
  readonly giveBack: (said: Said) => void;
}

const STOPPED: Problem = { code: 'stopped', message: 'Stopped. Nothing was changed here.' };

/**
 * Says messages in the place of earlier ones. What they replace, and all that followed, is shown
 * until the new run has begun: where the server refuses, nothing is lost.
 */
export class Replacing {
  private awaited: AbortSignal | undefined;

  constructor(private readonly options: ReplacingOptions) {}

  /** A message is on its way, and its run has not begun. */
  get isWaiting(): boolean {
    return this.awaited?.aborted === false;
  }

  /**
   * Says other words, with what was attached. Answers what was wrong, where no run began and the
   * message is not kept elsewhere.
   */
  async edit(runId: string, text: string): Promise<Problem | undefined> {
    const { store, line, giveBack } = this.options;
    const signal = line();
    const { attachments } = this.messageOf(runId) ?? {};
    const said: Said = { text, ...(attachments && { attachments }) };
    try {
      await this.replace(runId, said, signal);
    } catch (error) {
      if (signal.aborted) return STOPPED;
      const isLoggedOut = error instanceof ApiError && error.status === 401;
      if (!isLoggedOut) return problemOf(error);
      giveBack(said);
      store.update({ problem: problemOf(error) });
    }
    return undefined;
  }

  /** Answers what was wrong, which is shown. */
  async regenerate(): Promise<Problem | undefined> {
    const { store, line } = this.options;
    const signal = line();
    const asked = store.state.turns.findLast((turn) => turn.role === 'user');
    if (asked?.role !== 'user' || asked.runId === undefined) return undefined;
    try {
      await this.replace(asked.runId, asked, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const problem = problemOf(error);
      store.update({ problem });
      return problem;
    }
    return undefined;
  }

  private messageOf(runId: string): UserTurn | undefined {
    return this.options.store.state.turns.find(
      (turn): turn is UserTurn => turn.role === 'user' && turn.runId === runId,
    );
  }

  /** @throws what the server, or the way to it, had against it */
  private async replace(replaceRun: string, said: Said, signal: AbortSignal): Promise<void> {
    const { api, store, bodyOf, follow } = this.options;
    const message = this.messageOf(replaceRun);
    if (message === undefined || saysNothing(said) || !mayReplace(store.state)) return;
    store.update({ connection: 'streaming', problem: undefined });
    this.awaited = signal;
    let stream: AsyncIterable<AgentEvent>;
    try {
      stream = await begun(await api.chat({ ...bodyOf(said), replaceRun }, signal));
      signal.throwIfAborted();
    } catch (error) {
      // Who left the conversation does something else by now.
      if (!signal.aborted) store.update({ connection: 'idle' });
      throw error;
    } finally {
      if (this.awaited === signal) this.awaited = undefined;
    }
    store.update(({ turns }) => ({
      turns: [...turns.slice(0, turns.indexOf(message)), ...asking(said)],
    }));
    await follow(stream);
  }
}

/** The same stream, once it has its first event. */
async function begun(stream: AsyncIterable<AgentEvent>): Promise<AsyncIterable<AgentEvent>> {
  const events = stream[Symbol.asyncIterator]();
  const first = await events.next();
  if (first.done) throw unexpectedAnswer(200);
  return startingWith(first.value, events);
}

async function* startingWith(
  first: AgentEvent,
  rest: AsyncIterator<AgentEvent>,
): AsyncGenerator<AgentEvent, void, undefined> {
  yield first;
  for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value;
}
