import { context, propagation, type Span, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';

const NO_PARENT = '';

/** One point of a metric, as its exporter has it. */
export interface Point {
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Of a histogram, its sum. */
  readonly value: number;
  /** Of a histogram, how often it was recorded. */
  readonly count?: number;
}

/** An OpenTelemetry SDK in memory, as an application would start one. */
export class Traced {
  readonly exporter = new InMemorySpanExporter();
  /** Spans that began and have not ended. */
  readonly open = new Set<Span>();
  readonly tracers: BasicTracerProvider;
  private readonly points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  private readonly reader = new PeriodicExportingMetricReader({
    exporter: this.points,
    exportIntervalMillis: 3_600_000,
  });
  readonly meters = new MeterProvider({ readers: [this.reader] });

  private constructor(more: readonly SpanProcessor[]) {
    const counting: SpanProcessor = {
      onStart: (span) => void this.open.add(span),
      onEnd: (span) => void this.open.delete(span as unknown as Span),
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    };
    const spanProcessors = [counting, new SimpleSpanProcessor(this.exporter), ...more];
    this.tracers = new BasicTracerProvider({ spanProcessors });
  }

  /**
   * Registers it for the process.
   *
   * @param more processors besides its own
   */
  static start(...more: readonly SpanProcessor[]): Traced {
    const traced = new Traced(more);
    trace.setGlobalTracerProvider(traced.tracers);
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    return traced;
  }

  async stop(): Promise<void> {
    await this.meters.shutdown();
    await this.tracers.shutdown();
    trace.disable();
    context.disable();
    propagation.disable();
  }

  /** The spans that have ended. */
  get spans(): readonly ReadableSpan[] {
    return this.exporter.getFinishedSpans();
  }

  span(name: string): ReadableSpan {
    const found = this.spans.filter((span) => span.name === name);
    if (found.length !== 1) throw new Error(`${found.length} spans are named ${name}.`);
    return found[0] as ReadableSpan;
  }

  clear(): void {
    this.exporter.reset();
  }

  /** The trees in short: kind, name, error, and events within them, in order. */
  get lines(): readonly string[] {
    const ids = new Set(this.spans.map(idOf));
    const parentOf = ({ parentSpanContext: parent }: ReadableSpan): string =>
      parent && ids.has(parent.spanId) ? parent.spanId : NO_PARENT;
    const linesOf = (parent: string, indent: string): readonly string[] =>
      this.spans
        .filter((span) => parentOf(span) === parent)
        .toSorted((one, other) => nanosOf(one) - nanosOf(other))
        .flatMap((span) => [`${indent}${lineOf(span)}`, ...linesOf(idOf(span), `${indent}  `)]);
    return linesOf(NO_PARENT, '');
  }

  /** Every point of every metric. */
  async metrics(): Promise<readonly Point[]> {
    this.points.reset();
    await this.reader.forceFlush();
    return this.points
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
      .flatMap(({ descriptor: { name }, dataPoints }) =>
        dataPoints.map(({ attributes, value }) =>
          typeof value === 'number'
            ? { name, attributes, value }
            : {
                name,
                attributes,
                value: (value as { sum: number }).sum,
                count: (value as { count: number }).count,
              },
        ),
      );
  }
}

function idOf(span: ReadableSpan): string {
  return span.spanContext().spanId;
}

function nanosOf({ startTime: [seconds, nanos] }: ReadableSpan): number {
  return (seconds % 100_000) * 1e9 + nanos;
}

function lineOf({ kind, name, attributes, events }: ReadableSpan): string {
  const error = attributes['error.type'];
  const words = [
    ...(kind === SpanKind.INTERNAL ? [] : [SpanKind[kind]]),
    name,
    ...(error === undefined ? [] : [`!${String(error)}`]),
    ...(events.length > 0 ? [`(${events.map((event) => event.name).join(', ')})`] : []),
  ];
  return words.join(' ');
}
