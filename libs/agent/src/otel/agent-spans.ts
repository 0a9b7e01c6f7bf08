import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Link,
  ProxyTracerProvider,
  type Span,
  type SpanContext,
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
import { SCOPE, VERSION } from './version';

/** A span that is about to begin. */
interface SpanStart<End> {
  readonly name: string;
  readonly kind?: SpanKind;
  /** Known at its creation, so that samplers see them. */
  readonly attributes: Attributes;
  /** The span that it continues, as a link. */
  readonly after?: TraceIds | undefined;
  /** Its parent in another process; the active span by default. */
  readonly under?: TraceIds | undefined;
  readonly counts?: RunCounts;
  /** Adds the attributes of its end. */
  readonly ended: (span: Span, end: End, seconds: number) => void;
}

/** How something ended, as far as a span's status needs it. */
interface Ended {
  readonly errorCode?: string;
}

/** Creates the library's spans. */
export class AgentSpans {
  private tracer: Tracer | undefined;

  constructor(private readonly provider: TracerProvider | undefined) {}

  /** Whether a tracer records; an SDK may still start. */
  get isOn(): boolean {
    if (this.tracer !== undefined || this.provider !== undefined) return true;
    const provider = trace.getTracerProvider();
    // The API's own provider always exists, and delegates to that of an SDK.
    return !(provider instanceof ProxyTracerProvider) || isAsking(provider);
  }

  /** Does the work in a span, which ends once, with it. */
  around<End extends Ended>(
    { name, kind = SpanKind.INTERNAL, attributes, after, under, counts, ended }: SpanStart<End>,
    go: () => Promise<End>,
  ): Promise<End> {
    this.tracer ??= (this.provider ?? trace).getTracer(SCOPE, VERSION);
    const options = { kind, attributes, links: linksTo(after) };
    const began = performance.now();
    const span = this.tracer.startSpan(name, options, contextUnder(under));
    return context.with(inside(span, counts), go).then((end) => {
      try {
        ended(span, end, (performance.now() - began) / 1_000);
        if (end.errorCode !== undefined) fail(span, end.errorCode);
      } finally {
        span.end();
      }
      return end;
    });
  }
}

function isAsking(provider: ProxyTracerProvider): boolean {
  return provider.getDelegateTracer(SCOPE, VERSION) !== undefined;
}

function fail(span: Span, errorCode: string): void {
  span.setAttribute(GENERAL.error, errorCode);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function linksTo(ids: TraceIds | undefined): Link[] {
  const linked = ids && remote(ids);
  return linked && isSpanContextValid(linked) ? [{ context: linked }] : [];
}

function contextUnder(ids: TraceIds | undefined): Context {
  const parent = ids && remote(ids);
  const active = context.active();
  return parent && isSpanContextValid(parent) ? trace.setSpanContext(active, parent) : active;
}

function remote({ traceId, spanId, isSampled }: TraceIds): SpanContext {
  const traceFlags = isSampled === false ? TraceFlags.NONE : TraceFlags.SAMPLED;
  return { traceId, spanId, traceFlags, isRemote: true };
}
