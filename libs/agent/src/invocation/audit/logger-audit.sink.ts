import { Logger } from '@nestjs/common';
import { printable } from '../../internal';
import type { AuditRecord } from './audit-record';
import type { AuditSink } from './audit-sink.interface';

/**
 * The default sink: one line of JSON per call in the application's log, under `AgentAudit`.
 *
 * @example
 * const sink: AuditSink = new LoggerAuditSink();
 */
export class LoggerAuditSink implements AuditSink {
  private readonly logger = new Logger('AgentAudit');

  /** Writes the line. Its invisible characters are escaped, as JSON may: the model names the tool. */
  record(record: AuditRecord): void {
    this.logger.log(printable(JSON.stringify(record)));
  }
}
