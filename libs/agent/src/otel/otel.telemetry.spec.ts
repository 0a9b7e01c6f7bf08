import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { context, metrics, propagation, trace, TraceFlags } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider as SdkMeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { NO_USAGE } from '../message';
import type { ObservedRun, ObservedRunEnd, TraceHeaders } from '../telemetry';
import { OtelTelemetry } from './otel.telemetry';

const TRACE = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.SAMPLED };

describe('the trace of a request to a route', () => {
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  afterAll(() => {
    context.disable();
    propagation.disable();
  });

  const headersOf = async (isRemote: boolean): Promise<TraceHeaders> => {
    const headers: TraceHeaders = {};
    const call = { agent: 'agent', callId: 'c1', tool: 'get_order', method: 'GET' };
    await context.with(trace.setSpanContext(context.active(), TRACE), () =>
      new OtelTelemetry({}).dispatch({ ...call, isRemote, headers }, () =>
        Promise.resolve({ status: 'completed' }),
      ),
    );
    return headers;
  };

  it.each([false, true])('is sent along; to a real address: %s', async (isRemote) => {
    expect(await headersOf(isRemote)).toEqual({
      traceparent: `00-${TRACE.traceId}-${TRACE.spanId}-01`,
    });
  });

  it('is left to an instrumentation of undici, which writes it itself', async () => {
    const listener = (): void => undefined;
    subscribe('undici:request:create', listener);
    try {
      expect(await headersOf(true)).toEqual({});
      expect(await headersOf(false)).toHaveProperty('traceparent');
    } finally {
      unsubscribe('undici:request:create', listener);
    }
  });
});

it('has no ids outside of spans', () => {
  expect(new OtelTelemetry({}).trace()).toBeUndefined();
});

describe('without an SDK', () => {
  const run: ObservedRun = { agent: 'shop', runId: 'r1', reason: 'start' };
  const end: ObservedRunEnd = {
    status: 'completed',
    stopReason: 'end_turn',
    usage: NO_USAGE,
    steps: 1,
  };
  const exporter = new InMemorySpanExporter();
  const reader = new PeriodicExportingMetricReader({
    exporter: new InMemoryMetricExporter(AggregationTemporality.DELTA),
    exportIntervalMillis: 3_600_000,
  });

  beforeEach(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  afterEach(() => {
    for (const api of [context, propagation, trace, metrics]) api.disable();
  });
  afterAll(() => reader.shutdown());

  it('hands back what the work answers, in the context of the caller', async () => {
    const telemetry = new OtelTelemetry({});
    await context.with(trace.setSpanContext(context.active(), TRACE), async () => {
      const seen = telemetry.run(run, () => {
        telemetry.event({ agent: 'shop', type: 'resumed' });
        telemetry.measure({ agent: 'shop', type: 'lease.lost' });
        expect(telemetry.trace()).toEqual({ traceId: TRACE.traceId, spanId: TRACE.spanId });
        return Promise.resolve(end);
      });
      expect(await seen).toBe(end);
    });
  });

  it('carries the trace on that a run was queued in', async () => {
    const telemetry = new OtelTelemetry({});
    const { traceId, spanId } = TRACE;
    await telemetry.run({ ...run, requestedIn: { traceId, spanId } }, () => {
      expect(telemetry.trace()).toEqual({ traceId, spanId });
      return Promise.resolve(end);
    });
    expect.assertions(1);
  });

  it('waits for one: what begins after it started has spans and metrics', async () => {
    const telemetry = new OtelTelemetry({});
    const go = () => Promise.resolve(end);
    await telemetry.run(run, go);
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    metrics.setGlobalMeterProvider(new SdkMeterProvider({ readers: [reader] }));
    await telemetry.run(run, go);
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['invoke_agent shop']);
    const { resourceMetrics } = await reader.collect();
    const names = resourceMetrics.scopeMetrics.flatMap(({ metrics: all }) =>
      all.map(({ descriptor }) => descriptor.name),
    );
    expect(names).toContain('gen_ai.invoke_agent.duration');
  });
});
