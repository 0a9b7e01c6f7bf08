import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { context, propagation, trace, TraceFlags } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { TraceHeaders } from '../telemetry';
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
