import { AsyncLocalStorage } from 'node:async_hooks';

/** Headers and callbacks for the HTTP requests of one call, or of a connection's own requests. */
export interface Outgoing {
  /** The configured headers, computed for each request or once for each call. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** Receives the `authorization` value of a request, whatever its source, so that it is masked. */
  readonly authorized: (value: string) => void;
  /** The value of `x-agent-depth`; missing for the module's own requests. */
  readonly depth?: number;
  /** The most bytes of one message in response to a POST; `MAX_MESSAGE_BYTES` by default. */
  readonly maxMessageBytes?: number;
  /** Called when the stream of the call's response ends, unless the client can resume it. */
  readonly streamEnded?: (() => void) | undefined;
}

// One for the process: with every promise, Node.js 20 and 22 copy the value of each storage, even
// of storages whose connection is closed.
const current = new AsyncLocalStorage<ReadonlyMap<OutgoingScope, Outgoing>>();

/**
 * Hands a call's headers to the `fetch` of its transport. The client cannot pass headers along with
 * a request, and calls share a transport.
 */
export class OutgoingScope {
  run<Result>(outgoing: Outgoing, act: () => Result): Result {
    return current.run(new Map(current.getStore()).set(this, outgoing), act);
  }

  /** For messages that are sent during a call, but are not the call: their responses do not end it. */
  runBeside<Result>(act: () => Result): Result {
    const outgoing = this.get();
    if (outgoing === undefined) return act();
    return this.run({ ...outgoing, streamEnded: undefined }, act);
  }

  get(): Outgoing | undefined {
    return current.getStore()?.get(this);
  }
}
