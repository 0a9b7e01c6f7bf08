import { LONGEST_TIMER_MS } from '../../internal';
import type { JsonValue } from '../../message';
import { ToolError } from '../../tool';
import { ToolTimeoutError } from './call-errors';

/** What came of a call outside. */
export type Delivery =
  | {
      /** The tool was carried out. */
      readonly type: 'result';
      /** What the tool answered; missing where it answered nothing. */
      readonly result?: JsonValue | undefined;
    }
  | {
      /** It could not be. */
      readonly type: 'error';
      /** Why there is no result, for the model to read. */
      readonly message: string;
    };

/** A delivery as clients send it: with the words of an `error`, or else with a `result`. */
export function deliveryFrom({
  result,
  error,
}: {
  readonly result?: JsonValue | undefined;
  readonly error?: string | undefined;
}): Delivery {
  return error === undefined ? { type: 'result', result } : { type: 'error', message: error };
}

/** Where the processes agree on which delivery of a call counts: the first, or that its time is up. */
export interface SharedDeliveries {
  /** @param delivery missing where the time is up. @returns whether it was the first */
  put(callId: string, delivery?: Delivery): Promise<boolean>;
  /** What came first of deliveries; `undefined` where none did so far. */
  look(callId: string): Promise<Delivery | undefined>;
}

/** Milliseconds between two looks for what came in at another process: soon at first, then seldom. */
const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 1_000;

/**
 * Where results of calls that the caller carries out meet the run that waits for them. A result
 * counts from the moment its call is announced, whether or not anybody waits yet, and once.
 */
export class Deliveries {
  private readonly open = new Map<string, OpenCall>();

  /** @param shared missing where no other process takes deliveries */
  constructor(private readonly shared?: SharedDeliveries) {}

  /** From now on a result for this call is accepted. */
  announce(callId: string): void {
    if (!this.open.has(callId)) this.open.set(callId, new OpenCall());
  }

  /** Hands a result over; `false` where no such call is open, or another result came first. */
  async deliver(callId: string, delivery: Delivery): Promise<boolean> {
    const call = this.open.get(callId);
    if (call === undefined || call.isTaken) return false;
    if (!this.shared) return call.settle(delivery);
    if (!(await this.shared.put(callId, delivery))) return false;
    // A look of ours may have found it before we heard that it is the first.
    return call.settle(delivery) || call.isAnswered;
  }

  /**
   * The call's result, as soon as it is there.
   *
   * @throws ToolError with the browser's own words
   * @throws ToolTimeoutError where nothing came in time
   */
  async take(callId: string, timeoutMs: number): Promise<JsonValue | undefined> {
    this.announce(callId);
    const call = this.open.get(callId) ?? new OpenCall();
    const patienceMs = Math.min(timeoutMs, LONGEST_TIMER_MS);
    const timer = setTimeout(() => void this.expire(callId, call), patienceMs);
    this.lookSoon(callId, call, FIRST_LOOK_MS);
    const delivery = await call.settled;
    clearTimeout(timer);
    if (delivery === undefined) throw new ToolTimeoutError(timeoutMs, false);
    if (delivery.type === 'error') throw new ToolError(delivery.message);
    return delivery.result;
  }

  /** Looks at once for a result that another process took. */
  async look(callId: string): Promise<void> {
    const call = this.open.get(callId);
    const delivery = await this.shared?.look(callId).catch(() => undefined);
    if (delivery) call?.settle(delivery);
  }

  /** Nothing is accepted for this call any more. */
  close(callId: string): void {
    this.open.get(callId)?.settle(undefined);
    this.open.delete(callId);
  }

  /** The time is up, unless another process was told in time that its result counts. */
  private async expire(callId: string, call: OpenCall): Promise<void> {
    const { shared } = this;
    const isFirst = (await shared?.put(callId).catch(() => true)) ?? true;
    call.settle(isFirst ? undefined : await shared?.look(callId).catch(() => undefined));
  }

  private lookSoon(callId: string, call: OpenCall, ms: number): void {
    const { shared } = this;
    if (!shared || call.isTaken) return;
    call.nextLook = setTimeout(() => {
      // A store that is away for a moment is asked again.
      const looked = shared.look(callId).catch(() => undefined);
      void looked.then((delivery) => {
        if (delivery) call.settle(delivery);
        else this.lookSoon(callId, call, Math.min(ms * 2, LAST_LOOK_MS));
      });
    }, ms).unref();
  }
}

/** A call that waits, or may be waited for. */
class OpenCall {
  isTaken = false;
  /** Whether it was settled by a delivery. */
  isAnswered = false;
  nextLook: NodeJS.Timeout | undefined;
  readonly settled: Promise<Delivery | undefined>;
  private tell!: (delivery: Delivery | undefined) => void;

  constructor() {
    this.settled = new Promise((resolve) => (this.tell = resolve));
  }

  /** `false` where it was settled before. */
  settle(delivery: Delivery | undefined): boolean {
    if (this.isTaken) return false;
    this.isTaken = true;
    this.isAnswered = delivery !== undefined;
    clearTimeout(this.nextLook);
    this.tell(delivery);
    return true;
  }
}
