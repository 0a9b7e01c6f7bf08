import { createHmac, hash } from 'node:crypto';
import { Inject, Injectable, Logger, Optional, type OnApplicationShutdown } from '@nestjs/common';
import type { JsonObject } from '../../message';
import type { TraceIds } from '../../telemetry';
import type { CallContext, Tool, ToolCall } from '../../tool';
import { defined, settledWithin, shortened, thrownText, canonicalJson } from '../../internal';
import {
  AUDIT_OPTIONS,
  AUDIT_SINK,
  CLOSE_WITHIN_MS,
  SHOWN_NAME_CHARS,
} from '../invocation.constants';
import type { AuditRecord, AuditedApproval } from './audit-record';
import type { AuditOptions, AuditSink } from './audit-sink.interface';
import { shownInput, redacted } from './shown-input';
import { LoggerAuditSink } from './logger-audit.sink';

/** The maximum number of pending records. */
const MAX_PENDING = 1_000;
/** Milliseconds between two log messages about dropped records. */
const SAY_EVERY_MS = 10_000;

/** Writes one record per settled call to the sink. Errors of the sink do not affect calls. */
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

  /**
   * @param named the tool of the call's name, even if the caller may not see it
   * @param trace the span of the call
   */
  record(
    call: ToolCall,
    context: CallContext & { readonly shownInput?: JsonObject },
    approval: AuditedApproval,
    named: Tool | undefined = call.tool,
    trace?: TraceIds,
  ): void {
    if (this.pending.size >= MAX_PENDING) {
      this.drop();
      return;
    }
    try {
      const written = this.sink.record(
        this.recordOf(
          call,
          context,
          approval,
          shownInput(named, call.input, context.shownInput),
          trace,
        ),
      );
      if (isThenable(written)) this.await(Promise.resolve(written));
    } catch (error) {
      this.failed(error);
    }
  }

  /** Arguments for telemetry: masked, and redacted like those of records. */
  shown(tool: Tool | undefined, input: JsonObject): JsonObject {
    return redacted(shownInput(tool, input), this.options.redact);
  }

  /** Waits for pending records on shutdown, with a limit. */
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
    trace: TraceIds | undefined,
  ): AuditRecord {
    const { principal, sessionId, runId, run, via, client } = context;
    const { values = false, redact, digestKey } = this.options;
    return defined({
      at: new Date().toISOString(),
      callId: id,
      tool: tool ? name : shortened(name, SHOWN_NAME_CHARS),
      kind: tool?.kind,
      principal,
      sessionId,
      runId,
      agent: run?.agentName,
      traceId: trace?.traceId,
      spanId: trace?.spanId,
      via,
      client,
      argumentsDigest: argumentsDigest(input, digestKey),
      arguments: values ? redacted(input, redact) : undefined,
      outcome: response.status,
      errorCode: response.error?.code,
      approval,
      attempts: response.attempts,
      durationMs: response.durationMs,
    });
  }

  private await(written: Promise<void>): void {
    const settled = written
      .catch((error: unknown) => this.failed(error))
      .finally(() => this.pending.delete(settled));
    this.pending.add(settled);
  }

  /** Logs the first drop at once, later ones at intervals, and the total on shutdown. */
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

/** Some databases' queries are thenables that start only when awaited. */
function isThenable(value: unknown): value is PromiseLike<void> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** A digest of arguments, independent of the order of keys. */
export function argumentsDigest(input: JsonObject, key?: string): string {
  const text = canonicalJson(input);
  return key === undefined
    ? `sha256:${hash('sha256', text)}`
    : `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;
}
