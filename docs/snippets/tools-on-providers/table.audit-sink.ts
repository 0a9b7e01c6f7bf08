import { Injectable } from '@nestjs/common';
import type { AuditRecord, AuditSink } from 'nestjs-agent';

@Injectable()
export class TableAuditSink implements AuditSink {
  readonly rows: AuditRecord[] = [];

  record(record: AuditRecord): void {
    this.rows.push(record); // an insert, where it is a table
  }
}
