import type { AuditRecord } from './audit-record';

/**
 * Where audit records go. A sink that throws or rejects never breaks a call; the failure is
 * counted and logged.
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
   * Takes the record of one call, once the call is settled. Calls do not wait for it; the
   * application's end does, for half of `shutdown.deadlineMs`. While a thousand records are not
   * taken, further ones are dropped and counted in the log.
   */
  record(record: AuditRecord): void | Promise<void>;
}

/**
 * What audit records hold.
 *
 * @example
 * const audit: AuditOptions = { values: true, redact: ['iban'] };
 */
export interface AuditOptions {
  /**
   * Keys the digest of the arguments, so that nobody can find short arguments by trying; without
   * it (the default) the digest is a plain SHA-256.
   */
  readonly digestKey?: string;
  /** Whether the arguments themselves are recorded too; `false` by default: only their digest. */
  readonly values?: boolean;
  /**
   * Names of arguments, at any depth and in upper or lower case, whose values are replaced by
   * `[redacted]`. Those of passwords, tokens and the like always are; no others by default.
   */
  readonly redact?: readonly string[];
}
