import { AgentError } from '../../tool';

/** Where a caller's request came from. */
export interface RequestOrigin {
  /** The caller's address. */
  readonly address?: string;
  /** Whether the request used TLS. */
  readonly isEncrypted: boolean;
  /** The host that the caller named. */
  readonly host?: string;
}

/** A request that passed the application's guards. */
export interface EnteredRequest {
  /** The user that the guards found; missing for an anonymous caller. */
  readonly principal?: string;
  /** The framework's request. */
  readonly request: unknown;
  /** Calls `work` in the asynchronous context of the request. */
  within<T>(work: () => T): T;
}

/** The request with which a worker becomes a caller. */
interface GateRequest {
  /** The further agent; missing for the application's own. */
  readonly agent: string | undefined;
  readonly runId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly origin: RequestOrigin;
}

/** Sends requests through the guards in front of an agent's endpoints, within this process. */
export interface CallerGate {
  /** Why no request can be sent here; `undefined` if it can. */
  unavailability(): string | undefined;
  originOf(request: unknown): RequestOrigin;
  /** @throws GateRefusedError if the guards refuse; other errors are temporary */
  enter(request: GateRequest): Promise<EnteredRequest>;
}

/** The guards have refused a worker's request. */
export class GateRefusedError extends AgentError {
  constructor(readonly status: number) {
    super('credentials_refused', `The guards of the agent answered ${status}.`);
  }
}

/** Injection token of the `CallerGate`; missing without HTTP. */
export const CALLER_GATE = Symbol('nestjs-agent:caller-gate');
