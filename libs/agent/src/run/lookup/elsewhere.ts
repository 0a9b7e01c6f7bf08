import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '../../invocation';
import { isUnderWay } from '../../message';
import type { SessionRecord, SessionState, SessionStore } from '../../session';
import { RunReader } from './run.reader';
import { jsonOf } from '../record';
import type { RunBus, RunSignal } from '../bus';
import { RUN_BUS, RUN_OPTIONS, RUN_STORE, type RunOptions } from '../request';

/** Milliseconds between two reads of the record while a run stops, where the bus reached it. */
const FIRST_LOOK_MS = 10;
/** As above, at most; without a bus from the beginning. */
const LOOK_MS = 200;
const REQUEST_AGAIN_MS = 1_000;
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
   * @returns `false` if the run continued
   */
  stop(sessionId: string, runId: string): Promise<boolean> {
    return this.stopWithin(sessionId, runId, this.options.leaseMs + GRACE_MS);
  }

  /** As `stop`, for the active run of a session's record, with a shorter timeout. */
  async stopRunOf({ id, headline }: SessionRecord): Promise<void> {
    const { run } = headline ?? {};
    if (run && isUnderWay(run.status))
      await this.stopWithin(id, run.runId, this.options.leaseMs / 3 + GRACE_MS);
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

  private async stopWithin(sessionId: string, runId: string, ms: number): Promise<boolean> {
    const { store } = this;
    const end = performance.now() + ms;
    let pauseMs = LOOK_MS;
    let nextRequestAt = -Infinity;
    for (;;) {
      if (!isExecuted(await store.find(sessionId), runId)) return true;
      if (performance.now() > end) return false;
      // A resumed run has a new lease, so the stop is repeated.
      if (performance.now() >= nextRequestAt) {
        nextRequestAt = performance.now() + REQUEST_AGAIN_MS;
        await store.requestStop?.(sessionId, runId);
        const isHeard = await this.signal(runId, { type: 'stop' });
        if (store.requestStop === undefined && !isHeard) return false;
        if (isHeard) pauseMs = FIRST_LOOK_MS;
      }
      await delay(pauseMs, undefined, { ref: false });
      pauseMs = Math.min(pauseMs * 2, LOOK_MS);
    }
  }
}

/** Whether the run waits for the result of that frontend call. */
function isWaitingFor({ openCalls }: SessionState, callId: string): boolean {
  return openCalls.some(({ call, expiresAt }) => expiresAt !== undefined && call.id === callId);
}

function isExecuted(record: SessionRecord | undefined, runId: string): boolean {
  const { isHeld = false, headline } = record ?? {};
  return isHeld && headline?.run?.runId === runId && isUnderWay(headline.run.status);
}
