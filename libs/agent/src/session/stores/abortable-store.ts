import type { SessionStore } from './session-store';

/** Is told of a store's answers. */
export type StoreListener = (operation: string, durationMs: number, isFailed: boolean) => void;

/**
 * A store that can be given up: once it is aborted, calls under way and later ones reject at once,
 * whatever the store itself does.
 */
export class AbortableStore {
  /** The store with calls that can be aborted. */
  readonly store: SessionStore;
  private readonly calls = new Map<(reason: Error) => void, string>();
  private reason: Error | undefined;

  /** @param onAnswer is told how long each call took */
  constructor(
    store: SessionStore,
    private readonly onAnswer?: StoreListener,
  ) {
    // By name, so that a store's optional methods are there, or missing, as they are.
    this.store = new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) =>
          this.call(String(name), () => Reflect.apply(member, target, args) as Promise<unknown>);
      },
    });
  }

  /** The names of the methods that are under way, one for each call. */
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
      const began = performance.now();
      const answered = (isFailed: boolean) => {
        this.calls.delete(reject);
        this.onAnswer?.(name, performance.now() - began, isFailed);
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
