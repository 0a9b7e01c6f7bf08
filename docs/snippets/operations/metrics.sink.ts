import { type AuditRecord, type AuditSink, LoggerAuditSink } from 'nestjs-agent';
import type { Metrics } from './metrics';

// #region sink
export class MetricsSink implements AuditSink {
  private readonly log = new LoggerAuditSink();

  constructor(private readonly metrics: Metrics) {}

  record(record: AuditRecord): void {
    this.log.record(record); // a sink takes the place of the log, so the line is written here
    const tool = record.kind === undefined ? 'unknown' : record.tool; // models invent names
    this.metrics.add('agent_tool_calls_total', { tool, outcome: record.outcome });
    this.metrics.add('agent_tool_milliseconds_total', { tool }, record.durationMs);
  }
}
// #endregion sink
