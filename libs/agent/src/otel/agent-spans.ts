import {
  type Attributes,
  context,
  isSpanContextValid,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import type { TraceIds } from '../telemetry';
import { GENERAL } from './names';
import { inside, type RunCounts } from './own-span';
import { VERSION } from './version';

/** A span that is about to begin. */
interface SpanStart<End> {
  readonly name: string;
  readonly kind?: SpanKind;
  /** Known at its creation, so that samplers see them. */
  readonly attributes: Attributes;
  /** The span that it goes on from. */
  readonly after?: TraceIds | undefined;
  /** Of a run: what is counted within it. */
  readonly counts?: RunCounts;
  /** Adds what is known at its end. */
  readonly ended: (span: Span, end: End) => void;
}

/** How something ended, as far as a span's status needs it. */
interface Ended {
  readonly errorCode?: string;
}

/** Makes the library's spans. */
export class AgentSpans {
  private tracer: Tracer | undefined;

  constructor(private readonly provider: TracerProvider | undefined) {}

  /** Does the work in a span, which ends once, with it. */
  around<End extends Ended>(
    { name, kind = SpanKind.INTERNAL, attributes, after, counts, ended }: SpanStart<End>,
    go: () => Promise<End>,
  ): Promise<End> {
    this.tracer ??= (this.provider ?? trace).getTracer('nestjs-agent', VERSION);
    const span = this.tracer.startSpan(name, { kind, attributes, links: linksTo(after) });
    return context.with(inside(span, counts), go).then((end) => {
      try {
        ended(span, end);
        if (end.errorCode !== undefined) fail(span, end.errorCode);
      } finally {
        span.end();
      }
      return end;
    });
  }
}

function fail(span: Span, errorCode: string): void {
  span.setAttribute(GENERAL.error, errorCode);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function linksTo(ids: TraceIds | undefined): Link[] {
  if (ids === undefined) return [];
  const linked = { ...ids, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(linked) ? [{ context: linked }] : [];
}
