import { Logger } from '@nestjs/common';
import { once, onceAborted, pause, thrownText } from '../../internal';
import { Batched, batchesOf, isUnderWay, type AgentEvent } from '../../message';
import { isStoreAway } from '../context';
import type { ActiveRuns, SessionClaim } from '../execution';
import { type ChatResult, type RunHandle, ShuttingDownError, type StartOptions } from '../request';
import type { RunLookup } from './run-lookup';

/** How long the store may be unavailable, from the first failed read. */
const STORE_AWAY_MS = 8_000;
const PAUSE_MS = 250;

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
      let awaySince: number | undefined;
      do {
        try {
          for await (const batch of batchesOf(await lookup.events(runId, claim, last, signal))) {
            last = batch.at(-1)?.seq ?? last;
            awaySince = undefined;
            // Before `yield`: the reader may stop there.
            heard(batch);
            yield batch;
          }
          return;
        } catch (error) {
          // The run goes on, and its client may not know its id yet.
          awaySince ??= performance.now();
          const awayMs = performance.now() - awaySince;
          if (!isStoreAway(error) || awayMs >= STORE_AWAY_MS) throw error;
        }
        await pause(PAUSE_MS, closing, () => new ShuttingDownError());
      } while (signal?.aborted !== true);
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
