import { LRUCache } from 'lru-cache';
import { type CallOptions, CheckedCall, type Delivery } from './call';

/** The most pending calls; above it the oldest one is dropped. */
const MAX_CALLS = 10_000;
const MAX_AGE_MS = 3_600_000;

/**
 * The answer to a pending call: `approve` or `decline` for one that is `awaiting_approval`,
 * `result` or `error` for one that is `awaiting_result`.
 */
export type CallAnswer =
  | {
      /** Allows the call. */
      readonly type: 'approve';
    }
  | {
      /** Refuses the call. */
      readonly type: 'decline';
      /** The reason, for the model. */
      readonly reason?: string;
    }
  | Delivery;

/** The pending calls outside runs, in memory. */
export class WaitingCalls {
  /** Made with the first call: even an empty one takes 0.4 MB, and every agent has one. */
  private calls?: LRUCache<string, CheckedCall>;

  add(call: CheckedCall): void {
    this.calls ??= new LRUCache({
      max: MAX_CALLS,
      ttl: MAX_AGE_MS,
      perf: { now: () => performance.now() },
    });
    this.calls.set(keyOf(call.id, CheckedCall.stateOf(call).options), call);
  }

  remove(call: CheckedCall): void {
    const key = keyOf(call.id, CheckedCall.stateOf(call).options);
    if (this.calls?.peek(key) === call) this.calls.delete(key);
  }

  /** Removes and returns the caller's call, if it waits for this kind of answer. */
  take(callId: string, caller: CallOptions, answer: CallAnswer): CheckedCall | undefined {
    const key = keyOf(callId, caller);
    const call = this.calls?.get(key);
    if (call === undefined || !fits(answer, call)) return undefined;
    this.remove(call);
    return call;
  }
}

/** A call belongs to its principal: two principals may choose the same id. */
function keyOf(callId: string, { principal }: CallOptions): string {
  return JSON.stringify([principal ?? null, callId]);
}

function fits({ type }: CallAnswer, { response }: CheckedCall): boolean {
  const isApproval = type === 'approve' || type === 'decline';
  return response.status === (isApproval ? 'awaiting_approval' : 'awaiting_result');
}
