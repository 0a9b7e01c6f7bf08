// The kinds of telemetry that benchmarks compare, and the SDK that two of them use.
import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
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
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { AgentTelemetry } from '../../src';
import { otel } from '../../src/otel';
import type { Compared } from '../support/by-turns';

/** All hooks, without effect. */
const HOOKS: AgentTelemetry = {
  run: (_info, go) => go(),
  step: (_info, go) => go(),
  modelCall: (_info, go) => go(),
  toolCall: (_info, go) => go(),
  dispatch: (_info, go) => go(),
  event: () => undefined,
  measure: () => undefined,
  trace: () => undefined,
};

// The network cost belongs to the exporter: this one takes the spans and drops them.
const dropping: SpanExporter = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: () => Promise.resolve(),
};
export const tracerProvider = new BasicTracerProvider({
  spanProcessors: [new BatchSpanProcessor(dropping, { maxQueueSize: 100_000 })],
});
export const meterProvider = new MeterProvider({
  readers: [
    new PeriodicExportingMetricReader({
      exporter: new InMemoryMetricExporter(AggregationTemporality.DELTA),
      exportIntervalMillis: 3_600_000,
    }),
  ],
});

export interface Variant extends Compared {
  readonly telemetry?: AgentTelemetry;
  /** Whether an SDK has registered itself for the process. */
  readonly hasSdk?: boolean;
  readonly isHeapMeasured?: boolean;
}

const SDK_ALONE = 'an SDK alone';
const sdk = { tracerProvider, meterProvider };
export const VARIANTS: readonly Variant[] = [
  { name: 'no telemetry', isHeapMeasured: true },
  // The same variant again: its deviation from 1.00 is noise of the machine.
  { name: 'no telemetry, again' },
  { name: 'hooks that do nothing', bound: 1.01, telemetry: HOOKS },
  { name: 'otel(), without an SDK', bound: 1.02, telemetry: otel() },
  // On Node 20 and 22 each promise costs more as soon as an SDK carries a context, even if it is not used.
  { name: SDK_ALONE, hasSdk: true },
  {
    name: 'otel() and the SDK',
    bound: 1.1,
    beside: SDK_ALONE,
    telemetry: otel(sdk),
    hasSdk: true,
    isHeapMeasured: true,
  },
  {
    name: 'the same with content',
    beside: SDK_ALONE,
    telemetry: otel({ ...sdk, captureContent: 'span' }),
    hasSdk: true,
  },
];

/** Registers the SDK of a variant. */
export function register({ hasSdk = false }: Variant): void {
  context.disable();
  propagation.disable();
  if (!hasSdk) return;
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // As an instrumentation of HTTP does for each request.
  context.with(ROOT_CONTEXT, () => undefined);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
}
