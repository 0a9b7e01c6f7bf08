import { ApiError, isOutdated, isStatus, unexpectedAnswer, type EventStream } from '../wire';
import { Patience } from './patience';
import { problemOf } from './problem-of';
import type { RunLine } from './run.line';

/** Opens a stream of a run's events. */
export type Connect = (signal: AbortSignal) => Promise<EventStream>;

/**
 * How following ended: with the run's last event, by an end during a lost connection, because this page stopped
 * listening, or it failed, which the turn shows.
 */
export type FollowEnd = 'finished' | 'ended elsewhere' | 'hung up' | 'failed';

/** Hears a run's events, through as many connections as that takes. */
export class RunFollower {
  private readonly patience = new Patience();

  constructor(private readonly line: RunLine) {}

  /**
   * @throws ApiError with the status 401: after a log-in the run may be followed on; with 400 or 413
   * where the message was not taken as it is; where another run holds the session, or it was deleted
   */
  async follow(start: Connect, signal: AbortSignal): Promise<FollowEnd> {
    const { store, turn } = this.line;
    store.update({ connection: 'streaming' });
    this.patience.reset();
    for (let connect = start; ; connect = this.resume) {
      try {
        const isFinished = await this.listen(connect, signal);
        if (signal.aborted) return 'hung up';
        if (isFinished) return this.idle('finished');
        if (turn.value?.runId === undefined) throw unexpectedAnswer();
        const hasEnded = connect !== start && (await this.hasEnded(turn.value.runId));
        if (signal.aborted) return 'hung up';
        if (hasEnded) return this.idle('ended elsewhere');
      } catch (error) {
        if (signal.aborted) return 'hung up';
        const hasBegun = turn.value?.runId !== undefined;
        const isReturned = isStatus(error, 400, 413) || isOutdated(error);
        if (isStatus(error, 401) || (!hasBegun && isReturned)) {
          this.idle('failed');
          throw error;
        }
        const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
        // A message that may never have arrived is not sent again without the user's word.
        if (isRefused || !hasBegun) {
          const isLost = connect !== start && isStatus(error, 404);
          const { texts } = store.state;
          const lost = { code: 'run_lost', message: texts.problems.runLost };
          turn.settle({ status: 'failed', error: isLost ? lost : problemOf(error, texts) });
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
    const { runId = '', seq = 0 } = this.line.turn.value ?? {};
    return this.line.api.events(this.line.addressOf(runId), seq, signal);
  };

  /** Hears one connection's events; answers whether the run's last one was among them. */
  private async listen(connect: Connect, signal: AbortSignal): Promise<boolean> {
    const { store } = this.line;
    let isFinished = false;
    for await (const event of await connect(signal)) {
      if (signal.aborted) return false;
      if (store.state.connection !== 'streaming') store.update({ connection: 'streaming' });
      this.patience.reset();
      this.line.hear(event);
      isFinished ||= event.type === 'run.finished';
    }
    return isFinished;
  }

  /** Without events left to read, the run's own state shows how it ended. */
  private async hasEnded(runId: string): Promise<boolean> {
    const address = this.line.addressOf(runId);
    if (address.sessionId === undefined) return false;
    const status = (await this.line.api.runIfAny(address))?.status;
    return status !== 'running' && status !== 'queued';
  }

  private idle(end: FollowEnd): FollowEnd {
    this.line.store.update({ connection: 'idle' });
    return end;
  }
}
