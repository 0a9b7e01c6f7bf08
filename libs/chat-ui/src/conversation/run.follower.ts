import type { Problem } from '../state/chat-state';
import type { CurrentTurn } from '../state/current-turn';
import type { ChatStore } from '../state/store';
import type { AgentApi } from '../wire/agent-api';
import { ApiError, unexpectedAnswer } from '../wire/api-error';
import type { AgentEvent } from '../wire/protocol';
import { Patience } from './patience';
import { problemOf } from './problem-of';

/** Opens a stream of a run's events. */
export type Connect = (signal: AbortSignal) => Promise<AsyncIterable<AgentEvent>>;

/**
 * How following ended: the run said so, it ended where nobody listened, this page stopped
 * listening, or it failed, which the turn shows.
 */
export type FollowEnd = 'finished' | 'ended elsewhere' | 'hung up' | 'failed';

export interface RunFollowerOptions {
  readonly api: AgentApi;
  readonly store: ChatStore;
  readonly turn: CurrentTurn;
  /** Told of every event once. */
  readonly onEvent: (event: AgentEvent) => void;
}

const LOST: Problem = {
  code: 'run_lost',
  message: 'The connection was lost, and the rest of this answer can no longer be read.',
};

/** Writes a run's events into its turn, through as many connections as that takes. */
export class RunFollower {
  private readonly patience = new Patience();

  constructor(private readonly options: RunFollowerOptions) {}

  /**
   * @throws ApiError with the status 401: after a log-in the run may be followed on; with 400 or 413
   * where the message was not taken as it is
   */
  async follow(start: Connect, signal: AbortSignal): Promise<FollowEnd> {
    const { store, turn } = this.options;
    store.update({ connection: 'streaming' });
    this.patience.reset();
    for (let connect = start; ; connect = this.resume) {
      try {
        let isFinished = false;
        for await (const event of await connect(signal)) {
          if (signal.aborted) return 'hung up';
          if (store.state.connection !== 'streaming') store.update({ connection: 'streaming' });
          this.patience.reset();
          this.take(event);
          isFinished ||= event.type === 'run.finished';
        }
        if (isFinished) return this.idle('finished');
        if (!signal.aborted && turn.value?.runId === undefined) throw unexpectedAnswer(200);
        const hasEnded = connect !== start && (await this.hasEnded());
        if (signal.aborted) return 'hung up';
        if (hasEnded) return this.idle('ended elsewhere');
      } catch (error) {
        if (signal.aborted) return 'hung up';
        const isUnfit = turn.value?.runId === undefined && isOf(error, [400, 413]);
        if (isUnfit || isOf(error, [401])) {
          this.idle('failed');
          throw error;
        }
        const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
        // A message that may never have arrived is not sent again without the user's word.
        if (isRefused || turn.value?.runId === undefined) {
          const isLost = isRefused && connect !== start && error.status === 404;
          turn.settle({ status: 'failed', error: isLost ? LOST : problemOf(error) });
          return 'failed';
        }
      }
      store.update({ connection: 'reconnecting' });
      await this.patience.wait(signal);
      if (signal.aborted) return 'hung up';
    }
  }

  /** The events behind the last one that the turn has. */
  readonly resume: Connect = (signal) => {
    const { api, store, turn } = this.options;
    const { runId = '', seq } = turn.value ?? { seq: 0 };
    return api.events(runId, seq, store.state.sessionId, signal);
  };

  private take(event: AgentEvent): void {
    const { turn, onEvent } = this.options;
    if (turn.value === undefined || event.seq <= turn.value.seq) return;
    turn.apply(event);
    onEvent(event);
  }

  /** Where no events are left to read, the run itself says what became of it. */
  private async hasEnded(): Promise<boolean> {
    const { api, store, turn } = this.options;
    const { runId } = turn.value ?? {};
    const { sessionId } = store.state;
    if (runId === undefined || sessionId === undefined) return false;
    const run = await api.runIfAny(runId, sessionId);
    return run?.status !== 'running';
  }

  private idle(end: FollowEnd): FollowEnd {
    this.options.store.update({ connection: 'idle' });
    return end;
  }
}

function isOf(error: unknown, statuses: readonly number[]): boolean {
  return error instanceof ApiError && statuses.includes(error.status);
}
