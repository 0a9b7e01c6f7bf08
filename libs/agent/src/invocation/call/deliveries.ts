import { getOrAdd, LONGEST_TIMER_MS } from '../../internal';
import type { JsonValue } from '../../message';
import { ToolError } from '../../tool';
import { ToolTimeoutError } from './failures';

/** The result of a call that was executed outside. */
export type Delivery =
  | {
      /** The tool was executed. */
      readonly type: 'result';
      /** The tool's result; missing if the tool returned nothing. */
      readonly result?: JsonValue | undefined;
    }
  | {
      /** The tool failed. */
      readonly type: 'error';
      /** The error message for the model. */
      readonly message: string;
    };

/** A delivery in the form that clients send. */
export function deliveryFrom({
  result,
  error,
}: {
  readonly result?: JsonValue | undefined;
  readonly error?: string | undefined;
}): Delivery {
  return error === undefined ? { type: 'result', result } : { type: 'error', message: error };
}

/** Lets processes agree on the first delivery of a call, or its timeout. */
export interface SharedDeliveries {
  /** @param delivery missing for a timeout. @returns whether it was the first */
  put(callId: string, delivery?: Delivery): Promise<boolean>;
  /** The first delivery; `undefined` if there is none yet. */
  look(callId: string): Promise<Delivery | undefined>;
}

/** Milliseconds between two reads of other processes' deliveries, increasing. */
const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 1_000;

/**
 * Passes results of frontend tools to the waiting run. The first result counts, from the
 * announcement of its call on.
 */
export class Deliveries {
  private readonly open = new Map<string, OpenCall>();

  /** @param shared missing if only this process takes deliveries */
  constructor(private readonly shared?: SharedDeliveries) {}

  /** Accepts a result for this call from now on. */
  announce(callId: string): void {
    this.opened(callId);
  }

  /** Delivers a result; `false` if no such call is open or another result was first. */
  async deliver(callId: string, delivery: Delivery): Promise<boolean> {
    const call = this.open.get(callId);
    if (call === undefined || call.isTaken) return false;
    if (!this.shared) return call.settle(delivery);
    if (!(await this.shared.put(callId, delivery))) return false;
    // A concurrent `look` may have settled the call with it.
    return call.settle(delivery) || call.isAnswered;
  }

  /**
   * Waits for the call's result.
   *
   * @throws ToolError with the browser's error message
   * @throws ToolTimeoutError without a result in time
   */
  async take(callId: string, timeoutMs: number): Promise<JsonValue | undefined> {
    const call = this.opened(callId);
    const patienceMs = Math.min(timeoutMs, LONGEST_TIMER_MS);
    const timer = setTimeout(() => void this.expire(callId, call), patienceMs);
    this.lookSoon(callId, call, FIRST_LOOK_MS);
    const delivery = await call.settled;
    clearTimeout(timer);
    if (delivery === undefined) throw new ToolTimeoutError(timeoutMs, false);
    if (delivery.type === 'error') throw new ToolError(delivery.message);
    return delivery.result;
  }

  /** Reads a result that another process took. */
  async look(callId: string): Promise<void> {
    const call = this.open.get(callId);
    const delivery = await this.shared?.look(callId).catch(() => undefined);
    if (delivery) call?.settle(delivery);
  }

  /** Accepts no more results for this call. */
  close(callId: string): void {
    this.open.get(callId)?.settle(undefined);
    this.open.delete(callId);
  }

  private opened(callId: string): OpenCall {
    return getOrAdd(this.open, callId, () => new OpenCall());
  }

  /** Ends the wait, unless another process's result was first. */
  private async expire(callId: string, call: OpenCall): Promise<void> {
    const { shared } = this;
    const isFirst = (await shared?.put(callId).catch(() => true)) ?? true;
    call.settle(isFirst ? undefined : await shared?.look(callId).catch(() => undefined));
  }

  private lookSoon(callId: string, call: OpenCall, ms: number): void {
    const { shared } = this;
    if (!shared || call.isTaken) return;
    call.nextLook = setTimeout(() => {
      // The next read follows if the store is unavailable.
      const looked = shared.look(callId).catch(() => undefined);
      void looked.then((delivery) => {
        if (delivery) call.settle(delivery);
        else this.lookSoon(callId, call, Math.min(ms * 2, LAST_LOOK_MS));
      });
    }, ms).unref();
  }
}

/** A call that may get a result. */
class OpenCall {
  isTaken = false;
  /** Whether a delivery settled it. */
  isAnswered = false;
  nextLook: NodeJS.Timeout | undefined;
  readonly settled: Promise<Delivery | undefined>;
  private tell!: (delivery: Delivery | undefined) => void;

  constructor() {
    this.settled = new Promise((resolve) => (this.tell = resolve));
  }

  /** `false` if it was already settled. */
  settle(delivery: Delivery | undefined): boolean {
    if (this.isTaken) return false;
    this.isTaken = true;
    this.isAnswered = delivery !== undefined;
    clearTimeout(this.nextLook);
    this.tell(delivery);
    return true;
  }
}
