import type { JsonObject, ToolKind } from '../../message';
import type { ToolResponseStatus } from '../../tool';

/**
 * Whose word a call had: `none` was needed or given, the owner's for this call, or for the session;
 * or the owner refused, or agreed too late.
 */
export type AuditedApproval = 'none' | 'approved' | 'remembered' | 'declined' | 'expired';

/** What is kept of one call: who did what, when, and how it ended. */
export interface AuditRecord {
  /** When the call was settled; ISO 8601. */
  readonly at: string;
  /** The call's id. */
  readonly callId: string;
  /** The tool's name. */
  readonly tool: string;
  /** How the tool is carried out; missing where no tool has that name. */
  readonly kind?: ToolKind;
  /** Who was logged in; missing for nobody. */
  readonly principal?: string;
  /** The session, where the call belongs to one. */
  readonly sessionId?: string;
  /** The run, where one made the call. */
  readonly runId?: string;
  /** Digest of the arguments: `sha256:` or, with a key, `hmac-sha256:`, over canonical JSON. */
  readonly argumentsDigest: string;
  /** The arguments themselves, redacted, where the options ask for them. */
  readonly arguments?: JsonObject;
  /** How the call ended. */
  readonly outcome: ToolResponseStatus;
  /** Why it did not succeed: a `ToolFailure`'s `code`. */
  readonly errorCode?: string;
  /** Whose word it had. */
  readonly approval: AuditedApproval;
  /** How often the tool was run; 0 where it did not run. */
  readonly attempts: number;
  /** Milliseconds from the start of its execution to its end; 0 where it did not run. */
  readonly durationMs: number;
}
