import type { JsonObject, ToolKind } from '../../message';
import type { ToolResponseStatus } from '../../tool';

/** Whose word allowed a call: `none` was needed, the owner's for this call, or for the session. */
export type AuditedApproval = 'none' | 'approved' | 'remembered' | 'declined';

/** What is kept of one call: who did what, when, and how it ended. */
export interface AuditRecord {
  /** When the call was settled; ISO 8601. */
  readonly at: string;
  readonly callId: string;
  readonly tool: string;
  /** Missing where no tool has that name. */
  readonly kind?: ToolKind;
  /** Who was logged in; missing for nobody. */
  readonly principal?: string;
  readonly sessionId?: string;
  readonly runId?: string;
  /** Digest of the arguments: `sha256:` or, with a key, `hmac-sha256:`, over canonical JSON. */
  readonly argumentsDigest: string;
  /** The arguments themselves, redacted, where the options ask for them. */
  readonly arguments?: JsonObject;
  readonly outcome: ToolResponseStatus;
  readonly errorCode?: string;
  readonly approval: AuditedApproval;
  readonly attempts: number;
  readonly durationMs: number;
}
