import type { EnteredRequest } from './caller-gate';

/** A request through the guards, and when its credential expires. */
interface CalledRequest extends EnteredRequest {
  readonly expiresAt: number;
}

export type BecomeCaller = () => Promise<CalledRequest>;

/** Milliseconds before its end at which a credential counts as expired. */
const EARLY_MS = 30_000;

/** The caller of a run in a worker: its request, renewed when the credential expires. */
export class RunCaller {
  private constructor(
    private readonly become: BecomeCaller,
    private current: CalledRequest,
  ) {}

  /** @throws CredentialsRefusedError */
  static async from(become: BecomeCaller): Promise<RunCaller> {
    return new RunCaller(become, await become());
  }

  get request(): unknown {
    return this.current.request;
  }

  within<T>(work: () => T): T {
    return this.current.within(work);
  }

  /**
   * A new request if the credential expires soon.
   *
   * @throws CredentialsRefusedError if the caller is refused now
   */
  async renew(): Promise<void> {
    if (Date.now() < this.current.expiresAt - EARLY_MS) return;
    this.current = await this.become();
  }
}
