import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { eachUntilAborted } from '../../internal';
import type { Delivery } from '../../invocation';
import { batchesOf, isUnderWay } from '../../message';
import type { SessionRecord, SessionState, SessionStore } from '../../session';
import { RunReader } from './run.reader';
import { jsonOf } from '../record';
import type { RunBus, RunSignal } from '../bus';
import { RUN_BUS, RUN_OPTIONS, RUN_STORE, type RunOptions } from '../request';

/** Milliseconds between two reads of the record while a run stops, without a bus. */
const LOOK_MS = 200;
const REQUEST_AGAIN_MS = 1_000;
/** Who follows a run from here on is told its end only. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER;
/** Time between a renewal and the stored end. */
const GRACE_MS = 1_000;

/** Controls runs of other processes through the store. */
@Injectable()
export class Elsewhere {
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(RUN_STORE) private readonly store: SessionStore,
    private readonly reader: RunReader,
    @Inject(RUN_BUS) private readonly bus: RunBus | null,
  ) {}

  /**
   * Stops a run and waits until its end is stored. A living process receives the stop at its next
   * write or renewal; the run of a dead one ends with its lease.
   *
   * @param record the run's session, as just read
   * @returns the record afterwards, which is still executed if the run continued; `undefined` if the
   * session is gone
   */
  stop(record: SessionRecord, runId: string): Promise<SessionRecord | undefined> {
    return this.stopWithin(record, runId, this.options.leaseMs + GRACE_MS);
  }

  /** As `stop`, for the active run of a session's record, with a shorter timeout. */
  async stopRunOf(record: SessionRecord): Promise<void> {
    const { run } = record.headline ?? {};
    if (run && isUnderWay(run.status))
      await this.stopWithin(record, run.runId, this.options.leaseMs / 3 + GRACE_MS);
  }

  /** Stores a delivered result for the waiting run; `false` if no run waits for it. */
  async deliver(record: SessionRecord, callId: string, delivery: Delivery): Promise<boolean> {
    const { id, headline } = record;
    const runId = headline?.run?.runId ?? '';
    if (this.store.deliver === undefined || !isExecuted(record, runId)) return false;
    const found = await this.store.findByRun(runId);
    if (found === undefined) return false;
    const { state } = await this.reader.view(found, runId);
    if (!isWaitingFor(state, callId)) return false;
    const isFirst = await this.store.deliver(id, callId, jsonOf(delivery));
    if (isFirst) await this.signal(runId, { type: 'delivered', callId });
    return isFirst;
  }

  /** Best effort: the store has the message too. */
  private async signal(runId: string, signal: RunSignal): Promise<boolean> {
    try {
      return (await this.bus?.signal(runId, signal)) ?? false;
    } catch {
      return false;
    }
  }

  /** Waits until the bus tells that the run's process closed it, for a second at most. */
  private async closed(runId: string): Promise<void> {
    try {
      const events = this.bus?.follow(runId, AFTER_ALL);
      if (events === undefined) return;
      const told = eachUntilAborted(batchesOf(events), AbortSignal.timeout(REQUEST_AGAIN_MS));
      while ((await told.next()).done !== true);
    } catch {
      // The store tells the rest.
    }
  }

  private async stopWithin(
    found: SessionRecord,
    runId: string,
    ms: number,
  ): Promise<SessionRecord | undefined> {
    const { store } = this;
    const { id } = found;
    let record: SessionRecord | undefined = found;
    const end = performance.now() + ms;
    let nextRequestAt = -Infinity;
    while (isExecuted(record, runId) && performance.now() <= end) {
      // A resumed run has a new lease, so the stop is repeated.
      if (performance.now() >= nextRequestAt) {
        nextRequestAt = performance.now() + REQUEST_AGAIN_MS;
        await store.requestStop?.(id, runId);
        const isHeard = await this.signal(runId, { type: 'stop' });
        if (store.requestStop === undefined && !isHeard) return record;
        await (isHeard ? this.closed(runId) : pause());
      } else await pause();
      record = await store.find(id);
    }
    return record;
  }
}

function pause(): Promise<void> {
  return delay(LOOK_MS, undefined, { ref: false });
}

/** Whether the run waits for the result of that frontend call. */
function isWaitingFor({ openCalls }: SessionState, callId: string): boolean {
  return openCalls.some(({ call, expiresAt }) => expiresAt !== undefined && call.id === callId);
}

/** Whether some process executes the run, by the session's record alone. */
export function isExecuted(record: SessionRecord | undefined, runId: string): boolean {
  const { isHeld = false, headline } = record ?? {};
  return isHeld && headline?.run?.runId === runId && isUnderWay(headline.run.status);
}
