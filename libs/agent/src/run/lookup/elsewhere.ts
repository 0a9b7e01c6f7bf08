import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { eachUntilAborted } from '../../internal';
import type { Delivery } from '../../invocation';
import { batchesOf, isUnderWay } from '../../message';
import type { RunRecord, SessionRecord, SessionState, SessionStore } from '../../session';
import { RunReader } from './run.reader';
import { jsonOf, RunView } from '../record';
import type { RunBus, RunSignal } from '../bus';
import { RUN_BUS, RUN_OPTIONS, RUN_STORE, RunNotFoundError, type RunOptions } from '../request';

/** Milliseconds between two reads of the record while a run stops, without a bus. */
const LOOK_MS = 200;
const REQUEST_AGAIN_MS = 1_000;
/** A position after all events: its reader receives only the end. */
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
   * @returns the run as the store has it afterwards, still executed if it continued; `undefined` if the
   * session is gone
   * @throws RunNotFoundError if the run's first entry was discarded
   */
  async stop(record: RunRecord, runId: string): Promise<RunView | undefined> {
    const view = new RunView(this.store, runId, record);
    let isThere = true;
    await this.stopWithin(record.id, runId, this.options.leaseMs + GRACE_MS, async (isTold) => {
      // The record of an ended run has no further information.
      if (isTold && (await view.readEnd())) return false;
      isThere = await view.refresh();
      return isThere && isExecuted(view.record, runId);
    });
    if (!isThere) return undefined;
    await view.readOn(Infinity);
    if (view.run === undefined) throw new RunNotFoundError();
    return view;
  }

  /** As `stop`, for the active run of a session's record, with a shorter timeout. */
  async stopRunOf(record: SessionRecord): Promise<void> {
    const { id, headline } = record;
    const { runId = '' } = headline?.run ?? {};
    if (!isExecuted(record, runId)) return;
    await this.stopWithin(id, runId, this.options.leaseMs / 3 + GRACE_MS, async () =>
      isExecuted(await this.store.find(id), runId),
    );
  }

  /** Stores a delivered result for the waiting run; `false` if no run waits for it. */
  async deliver(record: SessionRecord, callId: string, delivery: Delivery): Promise<boolean> {
    const { id, headline } = record;
    const runId = headline?.run?.runId ?? '';
    const isRunning = isExecuted(record, runId);
    if (this.store.deliver === undefined || !(isRunning || isPassedOn(record))) return false;
    const found = await this.store.findByRun(runId);
    if (found === undefined) return false;
    const { state } = await this.reader.view(found, runId);
    const expiresAt = waitsUntil(state, callId);
    // An executed run rejects late results itself.
    if (expiresAt === undefined || (!isRunning && Date.parse(expiresAt) <= Date.now()))
      return false;
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

  /** Waits until the bus reports that the run was closed; `false` after a second without. */
  private async closed(runId: string): Promise<boolean> {
    try {
      const events = this.bus?.follow(runId, AFTER_ALL);
      if (events === undefined) return false;
      const batches = eachUntilAborted(batchesOf(events), AbortSignal.timeout(REQUEST_AGAIN_MS));
      while ((await batches.next()).done !== true);
      return true;
    } catch {
      // The store reports the rest.
      return false;
    }
  }

  /** @param goesOn whether the run is still executed; receives whether the bus reported its end */
  private async stopWithin(
    sessionId: string,
    runId: string,
    ms: number,
    goesOn: (isTold: boolean) => Promise<boolean>,
  ): Promise<void> {
    const { store } = this;
    const end = performance.now() + ms;
    let nextRequestAt = -Infinity;
    let isTold: boolean;
    do {
      isTold = false;
      // A resumed run has a new lease, so the stop is repeated.
      if (performance.now() >= nextRequestAt) {
        nextRequestAt = performance.now() + REQUEST_AGAIN_MS;
        await store.requestStop?.(sessionId, runId);
        const isReceived = await this.signal(runId, { type: 'stop' });
        if (store.requestStop === undefined && !isReceived) return;
        if (isReceived) isTold = await this.closed(runId);
        else await untilNextLook();
      } else await untilNextLook();
    } while ((await goesOn(isTold)) && performance.now() <= end);
  }
}

function untilNextLook(): Promise<void> {
  return delay(LOOK_MS, undefined, { ref: false });
}

/** The deadline for the result of a frontend call; `undefined` if the run does not wait for it. */
function waitsUntil({ openCalls }: SessionState, callId: string): string | undefined {
  return openCalls.find(({ call }) => call.id === callId)?.expiresAt;
}

/** Whether a run is between two workers: the next one continues its open calls. */
function isPassedOn({ headline }: SessionRecord): boolean {
  return headline?.run?.isQueued === true && isUnderWay(headline.run.status);
}

/** Whether some process executes the run, by the session's record alone. */
export function isExecuted(record: SessionRecord | undefined, runId: string): boolean {
  const { isHeld = false, headline } = record ?? {};
  return isHeld && headline?.run?.runId === runId && isUnderWay(headline.run.status);
}
