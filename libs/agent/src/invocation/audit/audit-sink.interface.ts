import type { AuditRecord } from './audit-record';

/**
 * Where audit records go. A sink that throws or rejects never breaks a call; the failure is
 * counted and logged.
 */
export interface AuditSink {
  record(record: AuditRecord): void | Promise<void>;
}

export interface AuditOptions {
  /**
   * Keys the digest of the arguments, so that nobody can find short arguments by trying; without
   * it the digest is a plain SHA-256.
   */
  readonly digestKey?: string;
  /** Records the arguments themselves too; by default only their digest. */
  readonly values?: boolean;
  /** Names of arguments, at any depth, whose values are replaced by `[redacted]`. */
  readonly redact?: readonly string[];
}
