import { Logger } from '@nestjs/common';
import { thrownText } from '../../internal';
import { inTime } from '../../invocation';
import { CredentialsRefusedError } from '../request';
import type { EnteredRequest } from './caller-gate';

/** A request through the guards, with the expiry of its credential. */
interface CalledRequest extends EnteredRequest {
  readonly expiresAt: number;
}

export type BecomeCaller = () => Promise<CalledRequest>;

/** Milliseconds before its expiry from which a credential is treated as expired. */
const EARLY_MS = 30_000;

/** The application's functions that make a caller, for errors. */
const WHAT = 'credentials.redeem, or a guard that checks the credential,';

/**
 * The caller of a run in a worker: its request, renewed when the credential expires. It waits for the
 * application's functions, which may hang, for a limited time, and no longer once the run is stopped.
 */
export class RunCaller {
  private readonly logger = new Logger('AgentQueue');

  private constructor(
    private readonly become: BecomeCaller,
    private current: CalledRequest,
  ) {}

  /** @throws CredentialsRefusedError, CallInterruptedError if the run is stopped first */
  static async from(become: BecomeCaller, signal: AbortSignal): Promise<RunCaller> {
    return new RunCaller(become, await inTime(become(), signal, WHAT));
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
   * @returns `false` after an error that may pass
   * @throws CredentialsRefusedError if the caller is refused now
   */
  async renew(signal: AbortSignal): Promise<boolean> {
    if (Date.now() < this.current.expiresAt - EARLY_MS) return true;
    try {
      this.current = await inTime(this.become(), signal, WHAT);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      if (error instanceof CredentialsRefusedError) throw error;
      this.logger.warn(`The caller of a run could not be renewed: ${thrownText(error)}`);
      return false;
    }
  }
}
