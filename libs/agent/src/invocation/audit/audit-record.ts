import type { JsonObject, ToolKind } from '../../message';
import type { ToolResponseStatus } from '../../tool';

/**
 * The approval of a call: not needed or given (`none`), given for this call or for the session,
 * declined, or given too late.
 */
export type AuditedApproval = 'none' | 'approved' | 'remembered' | 'declined' | 'expired';

/** The audit record of one call. */
export interface AuditRecord {
  /** Time of the call's end; ISO 8601. */
  readonly at: string;
  /** The call's id. */
  readonly callId: string;
  /** The tool's name. */
  readonly tool: string;
  /** The tool's kind; missing if no tool has that name. */
  readonly kind?: ToolKind;
  /** The logged-in user; missing for anonymous callers. */
  readonly principal?: string;
  /** The call's session, if any. */
  readonly sessionId?: string;
  /** The call's run, if any. */
  readonly runId?: string;
  /** The agent whose call it is; missing for a call outside a run. */
  readonly agent?: string;
  /** The trace of the call, if it is traced. */
  readonly traceId?: string;
  /** The call's span in it: the run's if the call did not run. */
  readonly spanId?: string;
  /** The protocol that the call arrived by, such as `mcp`; missing for the agent's own runs. */
  readonly via?: string;
  /** The client's name, if its protocol has one. Not verified. */
  readonly client?: string;
  /** Digest of the arguments: `sha256:` or, with a key, `hmac-sha256:`, over canonical JSON. */
  readonly argumentsDigest: string;
  /** The redacted arguments, if enabled by the options. */
  readonly arguments?: JsonObject;
  /** The call's final status. */
  readonly outcome: ToolResponseStatus;
  /** The `code` of the call's `ToolFailure`. */
  readonly errorCode?: string;
  /** The call's approval. */
  readonly approval: AuditedApproval;
  /** Number of attempts; 0 if the tool did not run. */
  readonly attempts: number;
  /** Whole milliseconds of the execution; 0 if the tool did not run. */
  readonly durationMs: number;
}
