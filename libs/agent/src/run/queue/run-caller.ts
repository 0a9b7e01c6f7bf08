import { untilAborted } from '../../invocation';
import type { EnteredRequest } from './caller-gate';

/** A request through the guards, with the expiry of its credential. */
interface CalledRequest extends EnteredRequest {
  readonly expiresAt: number;
}

export type BecomeCaller = () => Promise<CalledRequest>;

/** Milliseconds before its expiry at which a credential counts as expired. */
const EARLY_MS = 30_000;

/**
 * The caller of a run in a worker: its request, renewed when the credential expires. Once the run is
 * stopped, it no longer waits for the application's functions, which may hang.
 */
export class RunCaller {
  private constructor(
    private readonly become: BecomeCaller,
    private current: CalledRequest,
  ) {}

  /** @throws CredentialsRefusedError, CallInterruptedError if the run is stopped first */
  static async from(become: BecomeCaller, signal: AbortSignal): Promise<RunCaller> {
    return new RunCaller(become, await untilAborted(become(), signal));
  }

  get request(): unknown {
    return this.current.request;
  }

  within<T>(work: () => T): T {
    return this.current.within(work);
  }

  /**
   * Makes a new request if the credential expires soon, unless the run is stopped first.
   *
   * @throws CredentialsRefusedError if the caller is refused now
   */
  async renew(signal: AbortSignal): Promise<void> {
    if (Date.now() < this.current.expiresAt - EARLY_MS) return;
    try {
      this.current = await untilAborted(this.become(), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
