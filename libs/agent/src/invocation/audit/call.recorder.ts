import { Inject, Injectable, Logger, Optional, type OnApplicationShutdown } from '@nestjs/common';
import type { JsonObject } from '../../message';
import type { CallContext, Tool, ToolCall } from '../../tool';
import { settledWithin, thrownText } from '../../internal';
import { AUDIT_OPTIONS, AUDIT_SINK, CLOSE_WITHIN_MS } from '../invocation.constants';
import { argumentsDigest } from './arguments-digest';
import type { AuditRecord, AuditedApproval } from './audit-record';
import type { AuditOptions, AuditSink } from './audit-sink.interface';
import { shownInput } from './shown-input';
import { LoggerAuditSink } from './logger-audit.sink';
import { redacted } from './redaction';

/** Records that a sink may have been given without having taken them. */
const MAX_PENDING = 1_000;
/** Milliseconds between two lines of the log about dropped records. */
const SAY_EVERY_MS = 10_000;

/** Writes one record per settled call to the sink, and never lets the sink disturb a call. */
@Injectable()
export class CallRecorder implements OnApplicationShutdown {
  private readonly logger = new Logger(CallRecorder.name);
  private readonly pending = new Set<Promise<void>>();
  private failureCount = 0;
  private dropCount = 0;
  private saidAt = -Infinity;

  constructor(
    @Optional() @Inject(AUDIT_SINK) private readonly sink: AuditSink = new LoggerAuditSink(),
    @Optional() @Inject(AUDIT_OPTIONS) private readonly options: AuditOptions = {},
    @Optional() @Inject(CLOSE_WITHIN_MS) private readonly closeWithinMs = 5_000,
  ) {}

  /** How many records the sink has failed to take. */
  get failures(): number {
    return this.failureCount;
  }

  /** How many records a sink that hangs, or is too slow, was not given. */
  get dropped(): number {
    return this.dropCount;
  }

  /** @param named the tool of the call's name, also where the call may not know of it */
  record(
    call: ToolCall,
    context: CallContext,
    approval: AuditedApproval,
    named: Tool | undefined = call.tool,
  ): void {
    if (this.pending.size >= MAX_PENDING) {
      this.drop();
      return;
    }
    try {
      const written = this.sink.record(
        this.recordOf(call, context, approval, shownInput(named, call.input)),
      );
      if (isThenable(written)) this.await(Promise.resolve(written));
    } catch (error) {
      this.failed(error);
    }
  }

  /** Records under way still reach the sink when the application stops, unless it hangs. */
  async onApplicationShutdown(): Promise<void> {
    if (this.pending.size > 0) {
      await settledWithin(Promise.all(this.pending), this.closeWithinMs);
    }
    if (this.pending.size > 0) {
      this.logger.error(
        `The audit sink has not taken ${this.pending.size} records within ${this.closeWithinMs / 1_000} s; they may be lost.`,
      );
    }
    if (this.dropCount > 0) this.sayDropped();
  }

  private recordOf(
    { id, name, tool, response }: ToolCall,
    context: CallContext,
    approval: AuditedApproval,
    input: JsonObject,
  ): AuditRecord {
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

  /** The first one is told at once, further ones now and then, all at the end. */
  private drop(): void {
    this.dropCount += 1;
    if (performance.now() - this.saidAt < SAY_EVERY_MS) return;
    this.saidAt = performance.now();
    this.sayDropped();
  }

  private sayDropped(): void {
    this.logger.error(
      `The audit sink is too slow: ${this.dropCount} records were dropped so far, because it had not taken ${MAX_PENDING} before them.`,
    );
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
