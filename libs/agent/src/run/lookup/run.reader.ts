import { Inject, Injectable, Optional } from '@nestjs/common';
import { eachUntilAborted, pause } from '../../internal';
import { Batched, batchesOf, type AgentEvent } from '../../message';
import type { RunBus } from '../bus';
import type { RunRecord, SessionStore } from '../../session';
import { Telemetry } from '../../telemetry';
import { ActiveRuns } from '../execution';
import {
  RUN_BUS,
  RUN_OPTIONS,
  RUN_STORE,
  RunNotFoundError,
  type RunOptions,
  ShuttingDownError,
} from '../request';
import { RunView } from '../record';
import { type StoredRun, StoredRuns } from './stored-runs';

/** Milliseconds between two reads of a run that is not on the bus. */
const LOOK_MS = 1_000;
/** The first interval for a run that waits for a worker, without a bus. */
const FIRST_LOOK_MS = 25;
/** Milliseconds for which a reader counts in the run's process. */
const ATTENDED_MS = 5_000;

interface Following {
  readonly record: RunRecord;
  readonly runId: string;
  readonly after: number;
  readonly signal: AbortSignal | undefined;
}

/** Reads runs from the store: finished runs, waiting runs, and runs of other processes. */
@Injectable()
export class RunReader {
  private readonly onLag: ((lagMs: number) => void) | undefined;
  private readonly runs: StoredRuns;

  constructor(
    @Inject(RUN_STORE) private readonly store: SessionStore,
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    private readonly active: ActiveRuns,
    @Inject(RUN_BUS) private readonly bus: RunBus | null,
    @Optional() telemetry?: Telemetry,
  ) {
    this.runs = new StoredRuns(store);
    if (telemetry?.has('measure'))
      this.onLag = (lagMs) => telemetry.measure(() => ({ type: 'bus.delivered', lagMs }));
  }

  /** @throws RunNotFoundError if the run's first entry was discarded */
  async view(record: RunRecord, runId: string): Promise<RunView> {
    const view = new RunView(this.store, runId, record);
    await view.readOn(Infinity);
    if (view.run === undefined) throw new RunNotFoundError();
    return view;
  }

  /**
   * The past and future events above a number, until the run waits, ends or dies. Resolves after
   * the past events were read. On shutdown of this process the iteration fails with a
   * `ShuttingDownError`, because the run has not ended.
   *
   * @throws RunNotFoundError if the run's first entry was discarded
   */
  async follow(
    record: RunRecord,
    runId: string,
    after: number,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<AgentEvent>> {
    const stored = await this.runs.read(record, runId, after);
    if (stored.view.run === undefined) throw new RunNotFoundError();
    return new Batched(this.batches(stored, { record, runId, after, signal }));
  }

  /** The stored events above one number, up to another. */
  async storedEvents(
    record: RunRecord,
    runId: string,
    after: number,
    upTo: number,
  ): Promise<readonly AgentEvent[]> {
    const stored = await this.runs.read(record, runId, after);
    return [...stored.above(after)].flat().filter(({ seq }) => seq <= upTo);
  }

  private async *batches(
    stored: StoredRun,
    { record, runId, after, signal }: Following,
  ): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    let heard = after;
    let attendedAt = -Infinity;
    const attend = async (): Promise<void> => {
      if (!this.options.isAttendanceKept || performance.now() - attendedAt < ATTENDED_MS / 2)
        return;
      attendedAt = performance.now();
      await this.store.attend?.(record.id, ATTENDED_MS);
    };
    const isLeft = (): boolean => signal?.aborted === true;
    for (let looks = 0; ; looks += 1) {
      for (const events of stored.above(heard)) {
        yield events;
        heard = events.at(-1)?.seq ?? heard;
      }
      if (!stored.view.goesOn || isLeft()) return;
      await attend();
      const followedAt = performance.now();
      for await (const live of this.live(runId, heard, attend, signal)) {
        yield live;
        heard = live.at(-1)?.seq ?? heard;
        if (live.at(-1)?.type === 'run.finished') return;
      }
      if (isLeft()) return;
      const isSoon = stored.view.run?.status === 'queued';
      const pauseMs = isSoon ? Math.min(LOOK_MS, FIRST_LOOK_MS * 2 ** looks) : LOOK_MS;
      // A bus has already waited for the run to open.
      const leftMs = Math.max(0, pauseMs - (performance.now() - followedAt));
      const { closing } = this.active;
      await pause(leftMs, closing).catch(() => undefined);
      if (closing.aborted) throw new ShuttingDownError();
      if (!(await stored.readOn(heard))) return;
    }
  }

  /** The run's live events, until it ends or fails, or the reader leaves; none after `LOOK_MS` if no process has it. */
  private async *live(
    runId: string,
    after: number,
    attend: () => Promise<void>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    const here = this.active.find(runId)?.feed;
    if (here !== undefined && after >= here.offset) {
      yield* batchesOf(here.read(after));
      return;
    }
    if (!this.bus) return;
    const { closing } = this.active;
    const over = signal ? AbortSignal.any([closing, signal]) : closing;
    const timer = setInterval(() => void attend().catch(() => undefined), ATTENDED_MS / 2).unref();
    try {
      const events = this.bus.follow(runId, after, { waitMs: LOOK_MS, onLag: this.onLag });
      if (events) yield* eachUntilAborted(batchesOf(events), over);
    } catch {
      // The store has the rest.
    } finally {
      clearInterval(timer);
    }
  }
}
