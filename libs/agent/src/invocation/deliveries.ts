import type { JsonValue } from '../message';
import { ToolError } from '../tool';

/** What the caller's side made of a call. */
export type Delivery =
  | { readonly result: JsonValue | undefined }
  /** Why the tool failed, in the browser's words. */
  | { readonly error: string };

/**
 * Where results of calls that the caller carries out meet the run that waits for them. A result
 * counts from the moment its call is announced, whether or not anybody waits yet, and once.
 */
export class Deliveries {
  private readonly open = new Map<string, PromiseWithResolvers>();

  /** From now on a result for this call is accepted. */
  announce(callId: string): void {
    if (!this.open.has(callId)) this.open.set(callId, promiseWithResolvers());
  }

  /** Hands a result over; `false` where no such call is open. */
  deliver(callId: string, delivery: Delivery): boolean {
    const waiting = this.open.get(callId);
    if (waiting === undefined || waiting.isResolved) return false;
    waiting.isResolved = true;
    waiting.resolve(delivery);
    return true;
  }

  /** The call's result, as soon as it is there. @throws ToolError with the browser's own words */
  async take(callId: string): Promise<JsonValue | undefined> {
    this.announce(callId);
    const delivery = await this.open.get(callId)?.promise;
    if (delivery === undefined) return undefined;
    if ('error' in delivery) throw new ToolError(delivery.error);
    return delivery.result;
  }

  /** Nothing is accepted for this call any more. */
  close(callId: string): void {
    this.open.delete(callId);
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<Delivery>;
  readonly resolve: (delivery: Delivery) => void;
  isResolved: boolean;
}

function promiseWithResolvers(): PromiseWithResolvers {
  let resolve!: (delivery: Delivery) => void;
  const promise = new Promise<Delivery>((settle) => (resolve = settle));
  return { promise, resolve, isResolved: false };
}
