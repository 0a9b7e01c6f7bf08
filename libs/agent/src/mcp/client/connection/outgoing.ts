import { AsyncLocalStorage } from 'node:async_hooks';

/** What the HTTP requests of one call, or of one connection's upkeep, carry. */
export interface Outgoing {
  /** The configured headers, made anew for each request or once for each call. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** Hears the value of `authorization` of a request, wherever it is from, so that it is masked. */
  readonly authorized: (value: string) => void;
  /** The value of `x-agent-depth`; missing for the module's own requests. */
  readonly depth?: number;
  /** Hears that the stream of a response ended, unless the client can resume it. */
  readonly streamEnded?: () => void;
}

// One for the process: with every promise Node.js 20 and 22 copy what each storage holds, also of
// storages whose connection is closed.
const current = new AsyncLocalStorage<ReadonlyMap<OutgoingScope, Outgoing>>();

/**
 * Hands a call's headers to the `fetch` of its transport. The client offers no way to pass them
 * along with a request, and a transport is shared by calls.
 */
export class OutgoingScope {
  run<Result>(outgoing: Outgoing, act: () => Result): Result {
    return current.run(new Map(current.getStore()).set(this, outgoing), act);
  }

  get(): Outgoing | undefined {
    return current.getStore()?.get(this);
  }
}
