import type { AuditRecord } from './audit-record';

/**
 * Receives audit records. A sink that throws or rejects never breaks a call; the failure is counted
 * and logged.
 *
 * @example
 * \@Injectable()
 * export class AuditTrail implements AuditSink {
 *   readonly records: AuditRecord[] = [];
 *
 *   record(record: AuditRecord): void {
 *     this.records.push(record);
 *   }
 * }
 */
export interface AuditSink {
  /**
   * Stores the record of a settled call. Calls do not wait for it; shutdown does, for half of
   * `shutdown.deadlineMs`. With 1 000 pending records, further ones are dropped and counted in the
   * log.
   */
  record(record: AuditRecord): void | Promise<void>;
}

/**
 * Options of audit records.
 *
 * @example
 * const audit: AuditOptions = { values: true, redact: ['iban'] };
 */
export interface AuditOptions {
  /**
   * The key of the arguments' digest, so that short arguments cannot be guessed from it; without a
   * key (the default) the digest is a plain SHA-256.
   */
  readonly digestKey?: string;
  /** Whether records contain the arguments, besides their digest; `false` by default. */
  readonly values?: boolean;
  /**
   * Names of arguments whose values are replaced by `[redacted]`, at any depth and regardless of
   * case. Passwords, tokens and similar names are always included; no others by default.
   */
  readonly redact?: readonly string[];
}
