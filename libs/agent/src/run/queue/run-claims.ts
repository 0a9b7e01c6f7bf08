import { HttpException, Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { defined } from '../../internal';
import { inTime } from '../../invocation';
import { ClaimTooLargeError, CredentialsRefusedError, RUN_OPTIONS, RUN_QUEUE } from '../request';
import type { RunOptions } from '../request';
import { CALLER_GATE, type CallerGate, GateRefusedError, type RequestOrigin } from './caller-gate';
import { isRefusal } from './refusal-status';
import type { BecomeCaller } from './run-caller';
import type { ClaimedRun, RedeemedCaller, RunCredentials, RunQueue } from './run-queue';
import { Sealing } from './sealing';

const CLAIM_BYTES = 4_096;
/** The maximum lifetime of a credential in milliseconds. */
const CREDENTIAL_MS = 15 * 60_000;
/** Tolerated milliseconds by which the issuer's clock may be ahead. */
const DRIFT_MS = 60_000;
/** Milliseconds that a run may take after it has left the queue. */
const RUN_MS = 3_600_000;

/** The sealed content. */
interface Envelope {
  /** Missing for anonymous callers. */
  readonly claim?: string;
  readonly origin: RequestOrigin;
}

/**
 * The callers' claims: sealed in the process of the request, opened and redeemed by a worker, which
 * then becomes the caller through the application's own guards.
 */
@Injectable()
export class RunClaims {
  private readonly logger = new Logger('AgentSecurity');
  private readonly credentials: RunCredentials | undefined;
  private readonly sealing: Sealing | undefined;

  /** @throws AgentError `invalid_options` for a secret that is too short */
  constructor(
    @Inject(RUN_QUEUE) queue: RunQueue | null,
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Optional() @Inject(CALLER_GATE) private readonly gate?: CallerGate,
  ) {
    const { credentials } = queue ?? {};
    if (credentials === undefined || credentials === 'none') return;
    this.credentials = credentials;
    this.sealing = new Sealing(credentials.secrets);
  }

  /**
   * Seals the caller's claim.
   *
   * @param request the caller's request, after its guards; without one there is no caller to become
   * @throws ClaimTooLargeError, and the errors of `delegate`
   */
  async sealedFor(request: unknown, run: ClaimedRun): Promise<string | undefined> {
    const { credentials, sealing, gate } = this;
    if (!credentials || !sealing || !gate || request === undefined) return undefined;
    const claim =
      run.principal === undefined
        ? undefined
        : await inTime(credentials.delegate(request, run), undefined, 'credentials.delegate');
    if (
      claim !== undefined &&
      (typeof claim !== 'string' || Buffer.byteLength(claim) > CLAIM_BYTES)
    ) {
      throw new ClaimTooLargeError(CLAIM_BYTES);
    }
    const envelope: Envelope = defined({ claim, origin: gate.originOf(request) });
    const deadline = Date.now() + this.options.queueTimeoutMs + RUN_MS;
    return sealing.seal(JSON.stringify(envelope), run, deadline);
  }

  /**
   * Opens a sealed claim.
   *
   * @param agent the further agent; missing for the application's own
   * @returns a function that makes this process the caller, as often as needed
   * @throws CredentialsRefusedError if the claim cannot be opened
   */
  open(sealed: string, run: ClaimedRun, agent: string | undefined): BecomeCaller {
    const { credentials, sealing, gate } = this;
    const text = sealing?.open(sealed, run);
    if (!credentials || !gate || text === undefined) {
      throw this.refused(run, 'its sealed claim does not open');
    }
    const { claim, origin } = JSON.parse(text) as Envelope;
    return async () => {
      const { headers, expiresAt } =
        claim === undefined ? anonymous() : await this.redeemed(credentials, claim, run);
      const entered = await gate
        .enter({ agent, runId: run.runId, headers, origin })
        .catch((error: unknown) => {
          if (!(error instanceof GateRefusedError)) throw error;
          throw this.refused(run, `the guards refuse its caller (${error.status})`);
        });
      if (entered.principal !== run.principal) {
        throw this.refused(run, 'its credential is of another principal');
      }
      return { ...entered, expiresAt: expiresAt.getTime() };
    };
  }

  /** Logs a refusal, without the claim or a credential. */
  refused({ runId }: ClaimedRun, reason: string): CredentialsRefusedError {
    this.logger.warn(`Run ${runId} was refused: ${reason}.`);
    return new CredentialsRefusedError();
  }

  private async redeemed(
    credentials: RunCredentials,
    claim: string,
    run: ClaimedRun,
  ): Promise<RedeemedCaller> {
    let redeemed: RedeemedCaller;
    try {
      redeemed = await credentials.redeem(claim, run);
    } catch (error) {
      if (!(error instanceof HttpException && isRefusal(error.getStatus()))) throw error;
      throw this.refused(run, 'redeem() refused its claim');
    }
    const now = Date.now();
    const leftMs = timeOf(redeemed.expiresAt) - now;
    if (!(leftMs > 0 && leftMs <= CREDENTIAL_MS + DRIFT_MS)) {
      throw this.refused(run, 'redeem() gave no credential that expires within 15 minutes');
    }
    // Never used longer than this, whatever the clock difference.
    return { ...redeemed, expiresAt: new Date(now + Math.min(leftMs, CREDENTIAL_MS)) };
  }
}

function anonymous(): RedeemedCaller {
  return { headers: {}, expiresAt: new Date(Date.now() + CREDENTIAL_MS) };
}

function timeOf(expiresAt: unknown): number {
  return expiresAt instanceof Date ? expiresAt.getTime() : NaN;
}
