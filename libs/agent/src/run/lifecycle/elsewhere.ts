import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '../../invocation';
import type { SessionRecord, SessionState, SessionStore } from '../../session';
import { RunReader } from './run.reader';
import { jsonOf } from '../record';
import type { RunBus, RunSignal } from '../bus';
import { RUN_BUS, RUN_OPTIONS, RUN_STORE, type RunOptions } from '../request';

/** How often the record is looked at for a run's end, in milliseconds. */
const LOOK_MS = 200;
const LOOKS_PER_REQUEST = 5;
/** For what comes between a renewal and the stored end. */
const GRACE_MS = 1_000;

/** Reaches runs that another process carries out, by the store. */
@Injectable()
export class Elsewhere {
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(RUN_STORE) private readonly store: SessionStore,
    private readonly reader: RunReader,
    @Inject(RUN_BUS) private readonly bus: RunBus | null,
  ) {}

  /**
   * Has a run stopped, and waits until that is stored. A living process hears of it when it next
   * writes or renews its lease; the run of a dead one is over with its lease.
   *
   * @returns `false` where it went on
   */
  stop(sessionId: string, runId: string): Promise<boolean> {
    return this.stopWithin(sessionId, runId, this.options.leaseMs + GRACE_MS);
  }

  /** As `stop`, of the run that a session's record speaks of, and no longer than a living process takes. */
  async stopRunOf({ id, headline }: SessionRecord): Promise<void> {
    const { run } = headline ?? {};
    if (run?.status === 'running')
      await this.stopWithin(id, run.runId, this.options.leaseMs / 3 + GRACE_MS);
  }

  /** Leaves a browser's result to the run that waits for it; `false` where none does. */
  async deliver(record: SessionRecord, callId: string, delivery: Delivery): Promise<boolean> {
    const { id, headline } = record;
    const runId = headline?.run?.runId ?? '';
    if (this.store.deliver === undefined || !isUnderWay(record, runId)) return false;
    const found = await this.store.findByRun(runId);
    if (found === undefined) return false;
    const { state } = await this.reader.view(found, runId);
    if (!isWaitingFor(state, callId)) return false;
    const isFirst = await this.store.deliver(id, callId, jsonOf(delivery));
    if (isFirst) await this.signal(runId, { type: 'delivered', callId });
    return isFirst;
  }

  /** The store has it already: without a bus it is found there later. */
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
    for (let looks = 0; ; looks += 1) {
      if (!isUnderWay(await store.find(sessionId), runId)) return true;
      if (performance.now() > end) return false;
      // A run that went on after a wait has a new lease, and is told anew.
      if (looks % LOOKS_PER_REQUEST === 0) {
        await store.requestStop?.(sessionId, runId);
        const isHeard = await this.signal(runId, { type: 'stop' });
        if (store.requestStop === undefined && !isHeard) return false;
      }
      await delay(LOOK_MS, undefined, { ref: false });
    }
  }
}

/** Whether the run has asked the browser for that call, and has no result yet. */
function isWaitingFor({ openCalls }: SessionState, callId: string): boolean {
  return openCalls.some(({ call, expiresAt }) => expiresAt !== undefined && call.id === callId);
}

function isUnderWay(record: SessionRecord | undefined, runId: string): boolean {
  const { isHeld = false, headline } = record ?? {};
  return isHeld && headline?.run?.runId === runId && headline.run.status === 'running';
}
