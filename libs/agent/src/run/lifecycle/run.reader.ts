import { Inject, Injectable } from '@nestjs/common';
import { untilAborted } from '../../invocation';
import { Batched, type AgentEvent } from '../../message';
import type { RunRecord, SessionStore } from '../../session';
import { ActiveRuns } from './active-runs';
import {
  RUN_OPTIONS,
  RUN_STORE,
  RunNotFoundError,
  type RunOptions,
  ShuttingDownError,
} from '../request';
import { RunView } from '../record';

/** How often the journal is looked at for what another process tells, in milliseconds. */
const LOOK_MS = 1_000;
/** How long a reader counts as one in the process that carries the run out, in milliseconds. */
const ATTENDED_MS = 5_000;

interface Following {
  readonly record: RunRecord;
  readonly after: number;
  readonly signal: AbortSignal | undefined;
}

/** Reads runs from their journals: ended ones, waiting ones, other processes'. */
@Injectable()
export class RunReader {
  constructor(
    @Inject(RUN_STORE) private readonly store: SessionStore,
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    private readonly active: ActiveRuns,
  ) {}

  /** @throws RunNotFoundError where the run's beginning is not kept */
  async view(record: RunRecord, runId: string): Promise<RunView> {
    const view = new RunView(this.store, runId, record);
    await view.readOn(Infinity);
    if (view.run === undefined) throw new RunNotFoundError();
    return view;
  }

  /**
   * The events above a number, those to come included, until the run waits, ends or dies. What is
   * there already has been read when this resolves. While this process closes, reading on ends with a
   * `ShuttingDownError`: the run is not over.
   *
   * @throws RunNotFoundError where the run's beginning is not kept
   */
  async follow(
    record: RunRecord,
    runId: string,
    after: number,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<AgentEvent>> {
    const view = new RunView(this.store, runId, record);
    const told = await view.readOn(after);
    if (view.run === undefined) throw new RunNotFoundError();
    return new Batched(this.batches(view, told, { record, after, signal }));
  }

  /** The events above a number up to another, of a part of a run that is told to its end. */
  async told(
    record: RunRecord,
    runId: string,
    after: number,
    upTo: number,
  ): Promise<readonly AgentEvent[]> {
    const events = await new RunView(this.store, runId, record).readOn(after);
    return events.filter(({ seq }) => seq <= upTo);
  }

  private async *batches(
    view: RunView,
    told: readonly AgentEvent[],
    { record, after, signal }: Following,
  ): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    let heard = after;
    let attendedAt = -Infinity;
    for (let events = told; ; events = await view.readOn(heard)) {
      if (events.length > 0) yield events;
      heard = events.at(-1)?.seq ?? heard;
      if (view.run?.status !== 'running' || signal?.aborted === true) return;
      if (this.options.isAttendanceKept && performance.now() - attendedAt > ATTENDED_MS / 2) {
        attendedAt = performance.now();
        await this.store.attend?.(record.id, ATTENDED_MS);
      }
      if (await this.isClosingWithin(LOOK_MS)) throw new ShuttingDownError();
      if (!(await view.refresh())) return;
    }
  }

  private async isClosingWithin(ms: number): Promise<boolean> {
    const { closing } = this.active;
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms).unref();
    });
    await untilAborted(pause, closing).catch(() => undefined);
    clearTimeout(timer);
    return closing.aborted;
  }
}
