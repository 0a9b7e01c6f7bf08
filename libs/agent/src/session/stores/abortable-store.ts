import type { SessionStore } from './session-store';

/** Called when a store call begins. Returns a function to call when it ends. */
type StoreListener = (operation: string) => (isFailed: boolean) => void;

/**
 * A store that can be abandoned: once it is aborted, current and later calls reject at once, even if
 * the store itself hangs.
 */
export class AbortableStore {
  /** The store with calls that can be aborted. */
  readonly store: SessionStore;
  private readonly calls = new Map<(reason: Error) => void, string>();
  private reason: Error | undefined;

  constructor(
    store: SessionStore,
    private readonly onCall?: StoreListener,
  ) {
    // By name, so that optional methods stay present or missing.
    this.store = new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) =>
          this.call(String(name), () => Reflect.apply(member, target, args) as Promise<unknown>);
      },
    });
  }

  /** The method names of the current calls, one for each call. */
  get pending(): readonly string[] {
    return [...this.calls.values()];
  }

  /** @param reason the error of the rejected calls */
  abort(reason: Error): void {
    this.reason ??= reason;
    for (const reject of this.calls.keys()) reject(this.reason);
    this.calls.clear();
  }

  private call(name: string, begin: () => Promise<unknown>): Promise<unknown> {
    if (this.reason !== undefined) return Promise.reject(this.reason);
    return new Promise((resolve, reject) => {
      const onAnswer = this.onCall?.(name);
      const answered = (isFailed: boolean) => {
        this.calls.delete(reject);
        onAnswer?.(isFailed);
      };
      const answer = begin();
      this.calls.set(reject, name);
      answer.then(
        (value) => {
          resolve(value);
          answered(false);
        },
        (error: Error) => {
          reject(error);
          answered(true);
        },
      );
    });
  }
}
