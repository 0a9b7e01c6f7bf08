import { Inject, Injectable, Logger, Optional, type OnApplicationShutdown } from '@nestjs/common';
import type { CallContext, ToolCall } from '../../tool';
import { thrownText } from '../thrown-text';
import { AUDIT_OPTIONS, AUDIT_SINK } from '../invocation.constants';
import { argumentsDigest } from './arguments-digest';
import type { AuditRecord, AuditedApproval } from './audit-record';
import type { AuditOptions, AuditSink } from './audit-sink.interface';
import { LoggerAuditSink } from './logger-audit.sink';
import { redacted } from './redaction';

/** How long the application's end waits for the sink, in milliseconds. */
const SHUTDOWN_MS = 5_000;

/** Writes one record per settled call to the sink, and never lets the sink disturb a call. */
@Injectable()
export class CallRecorder implements OnApplicationShutdown {
  private readonly logger = new Logger(CallRecorder.name);
  private readonly pending = new Set<Promise<void>>();
  private failureCount = 0;

  constructor(
    @Optional() @Inject(AUDIT_SINK) private readonly sink: AuditSink = new LoggerAuditSink(),
    @Optional() @Inject(AUDIT_OPTIONS) private readonly options: AuditOptions = {},
  ) {}

  /** How many records the sink has failed to take. */
  get failures(): number {
    return this.failureCount;
  }

  record(call: ToolCall, context: CallContext, approval: AuditedApproval): void {
    try {
      const written = this.sink.record(this.recordOf(call, context, approval));
      if (isThenable(written)) this.await(Promise.resolve(written));
    } catch (error) {
      this.failed(error);
    }
  }

  /** Records under way still reach the sink when the application stops, unless it hangs. */
  async onApplicationShutdown(): Promise<void> {
    if (this.pending.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((end) => (timer = setTimeout(end, SHUTDOWN_MS)));
    await Promise.race([Promise.all(this.pending), patience]);
    clearTimeout(timer);
    if (this.pending.size === 0) return;
    this.logger.error(
      `The audit sink has not taken ${this.pending.size} records within ${SHUTDOWN_MS / 1_000} s; they may be lost.`,
    );
  }

  private recordOf(call: ToolCall, context: CallContext, approval: AuditedApproval): AuditRecord {
    const { id, name, input, tool, response } = call;
    const { principal, sessionId, runId } = context;
    return {
      at: new Date().toISOString(),
      callId: id,
      tool: name,
      ...(tool === undefined ? {} : { kind: tool.kind }),
      ...(principal === undefined ? {} : { principal }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(runId === undefined ? {} : { runId }),
      argumentsDigest: argumentsDigest(input, this.options.digestKey),
      ...(this.options.values === true ? { arguments: redacted(input, this.options.redact) } : {}),
      outcome: response.status,
      ...(response.error === undefined ? {} : { errorCode: response.error.code }),
      approval,
      attempts: response.attempts,
      durationMs: response.durationMs,
    };
  }

  private await(written: Promise<void>): void {
    const settled = written
      .catch((error: unknown) => this.failed(error))
      .finally(() => this.pending.delete(settled));
    this.pending.add(settled);
  }

  private failed(error: unknown): void {
    this.failureCount += 1;
    this.logger.error(
      `The audit sink failed to take a record (${this.failureCount} in all).`,
      thrownText(error),
    );
  }
}

/** Many a database's query is no `Promise`, and begins only when somebody waits for it. */
function isThenable(value: unknown): value is PromiseLike<void> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
