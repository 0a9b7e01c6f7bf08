import { getOrAdd } from '../../internal';
import type { RpcId } from '../protocol';

/** The sender of a request, as far as a cancellation can name it. */
export interface Sender {
  readonly principal?: string;
  /** The HTTP session that a legacy client names. */
  readonly sessionId?: string;
}

/** The requests of legacy clients, which can be cancelled by their ids. */
export class RunningRequests {
  private readonly requests = new Map<string, Set<AbortController>>();

  /** Adds a request; the returned function removes it. */
  add(sender: Sender, id: RpcId, request: AbortController): () => void {
    const key = keyOf(sender, id);
    const requests = getOrAdd(this.requests, key, () => new Set()).add(request);
    return () => {
      requests.delete(request);
      if (requests.size === 0 && this.requests.get(key) === requests) this.requests.delete(key);
    };
  }

  /**
   * Cancels a request of the same sender. Anonymous clients without a session cannot be told apart,
   * so they cancel nothing. Clients without a session may use one id twice at the
   * same time; then it is unknown which request is meant, and none is cancelled.
   */
  cancel(sender: Sender, id: RpcId): void {
    if (sender.principal === undefined && sender.sessionId === undefined) return;
    const requests = [...(this.requests.get(keyOf(sender, id)) ?? [])];
    if (requests.length === 1) requests[0]?.abort();
  }
}

function keyOf({ principal, sessionId }: Sender, id: RpcId): string {
  return JSON.stringify([principal ?? null, sessionId ?? null, id]);
}
