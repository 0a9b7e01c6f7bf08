import { Logger } from '@nestjs/common';
import { once, onceAborted, pause, thrownText } from '../../internal';
import { Batched, batchesOf, isUnderWay, type AgentEvent } from '../../message';
import { SessionStoreError } from '../../session';
import type { ActiveRuns, SessionClaim } from '../execution';
import { type ChatResult, type RunHandle, ShuttingDownError, type StartOptions } from '../request';
import type { RunLookup } from './run-lookup';

/** Reads in a row for which the store may be unavailable: 8 s in all, and the time of the reads. */
const MOST_TRIES = 10;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** A run of a worker, as the process that accepted it follows it. */
type FollowedRun = Omit<RunHandle, 'events' | 'finished' | 'cancel'>;

/** The handles of queued runs, which read their events as other processes do. */
export class QueuedRuns {
  private readonly logger = new Logger('AgentQueue');

  constructor(
    private readonly lookup: RunLookup,
    private readonly active: ActiveRuns,
  ) {}

  handleOf(run: FollowedRun, { principal, signal, graceMs = 0 }: StartOptions): RunHandle {
    const { runId, sessionId, before } = run;
    const claim = { sessionId, ...(principal !== undefined && { principal }) };
    let isOver = false;
    const cancel = (): void => {
      // Another request may have resumed it by then.
      if (isOver) return;
      this.lookup.cancel(runId, claim).catch((error: unknown) => {
        this.logger.warn(`Run ${runId} could not be cancelled: ${thrownText(error)}`);
      });
    };
    // With a grace period the worker watches for readers.
    const unlink = graceMs === 0 ? onceAborted(signal, cancel) : () => undefined;
    const heard = (batch: readonly AgentEvent[]): void => {
      const last = batch.at(-1);
      if (last?.type !== 'run.finished' || last.seq <= before.lastSeq) return;
      isOver = true;
      unlink();
    };
    const eventsFrom = (after: number): AsyncIterable<AgentEvent> =>
      this.eventsOf(runId, claim, after, signal, heard);
    const end = once(() => this.endOf(runId, claim, () => eventsFrom(before.lastSeq)));
    return {
      ...run,
      events: (after = before.lastSeq) => eventsFrom(after),
      get finished() {
        return end();
      },
      cancel,
    };
  }

  private eventsOf(
    runId: string,
    claim: SessionClaim,
    after: number,
    signal: AbortSignal | undefined,
    heard: (batch: readonly AgentEvent[]) => void,
  ): AsyncIterable<AgentEvent> {
    const { lookup } = this;
    const { closing } = this.active;
    async function* batches(): AsyncGenerator<readonly AgentEvent[], void, undefined> {
      let last = after;
      for (let tries = 1; signal?.aborted !== true; tries += 1) {
        try {
          for await (const batch of batchesOf(await lookup.events(runId, claim, last, signal))) {
            last = batch.at(-1)?.seq ?? last;
            tries = 0;
            // Before `yield`: the reader may stop there.
            heard(batch);
            yield batch;
          }
          return;
        } catch (error) {
          // The run goes on, and its client may not know its id yet.
          if (!isUnavailable(error) || tries >= MOST_TRIES) throw error;
        }
        const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
        await pause(pauseMs, closing, () => new ShuttingDownError());
      }
    }
    return new Batched(batches());
  }

  /** The run's result; its state so far if this process closes. */
  private async endOf(
    runId: string,
    claim: SessionClaim,
    events: () => AsyncIterable<AgentEvent>,
  ): Promise<ChatResult> {
    try {
      await exhausted(events());
      // Its client left, but the run continues for other readers.
      const result = await this.lookup.find(runId, claim);
      if (!isUnderWay(result.status)) return result;
      await exhausted(await this.lookup.events(runId, claim, Infinity));
    } catch (error) {
      this.logger.warn(`Run ${runId} can no longer be followed: ${thrownText(error)}`);
    }
    return this.lookup.find(runId, claim);
  }
}

async function exhausted(events: AsyncIterable<AgentEvent>): Promise<void> {
  for await (const batch of batchesOf(events)) if (batch.at(-1)?.type === 'run.finished') return;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof SessionStoreError && error.code === 'store_unavailable';
}
