import { deepEqual, equal, match } from 'node:assert/strict';
import { Controller, Get, Headers, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { context, propagation, type TextMapPropagator, trace } from '@opentelemetry/api';
import type { MeterProvider } from '@opentelemetry/sdk-metrics';
import { AgentModule, Tool } from 'nestjs-agent';
import { otel, type OtelOptions } from 'nestjs-agent/otel';
import { ScriptedModel } from 'nestjs-agent/testing';
import { AdderTools } from './adder.tools.js';

/** A span, as both lines of the SDK have it. */
export interface EndedSpan {
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly parentSpanContext?: { readonly spanId: string } | undefined;
  spanContext(): { readonly spanId: string; readonly traceId: string };
}

interface Signals {
  readonly tracerProvider: NonNullable<OtelOptions['tracerProvider']>;
  readonly meterProvider: MeterProvider;
  /** The spans that have ended. */
  readonly spans: () => readonly EndedSpan[];
  /** The sum of all values of a counter. */
  readonly counted: (metric: string) => number;
}

@Controller('weather')
class WeatherController {
  @Tool({ name: 'weather', description: 'Tell the weather' })
  @Get()
  tell(@Headers('traceparent') traceparent: string): { readonly asked: string } {
    return { asked: traceparent };
  }
}

/** Sends the same headers as the SDK's own propagator. */
const PROPAGATOR: TextMapPropagator = {
  inject: (active, carrier, setter) => {
    const ids = trace.getSpanContext(active);
    if (ids) setter.set(carrier, 'traceparent', `00-${ids.traceId}-${ids.spanId}-01`);
  },
  extract: (active) => active,
  fields: () => ['traceparent'],
};

/** A run with two tools, and the trace and metrics of it. */
export async function converse(
  manager: Parameters<typeof context.setGlobalContextManager>[0],
  { tracerProvider, meterProvider, spans, counted }: Signals,
): Promise<void> {
  equal(context.setGlobalContextManager(manager), true);
  propagation.setGlobalPropagator(PROPAGATOR);
  const model = new ScriptedModel([
    { toolCalls: [{ name: 'add', input: { a: 2, b: 40 } }, { name: 'weather' }] },
    'It is 42 and sunny.',
  ]);
  const telemetry = otel({ tracerProvider, meterProvider, captureContent: 'span' });
  @Module({
    imports: [AgentModule.forRoot({ model, name: 'shop', telemetry })],
    controllers: [WeatherController],
    providers: [AdderTools],
  })
  class OtelModule {}
  const app = await NestFactory.create(OtelModule, { logger: ['error', 'fatal'] });
  await app.listen(0, '127.0.0.1');
  try {
    const response = await fetch(`${await app.getUrl()}/agent/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'What is 2 and 40, and the weather?' }),
    });
    equal(response.status, 200);
    await meterProvider.forceFlush();
  } finally {
    await app.close();
  }
  const ended = spans();
  const nameOf = (id: string | undefined) =>
    ended.find((span) => span.spanContext().spanId === id)?.name ?? 'none';
  deepEqual(
    ended.map((span) => `${nameOf(span.parentSpanContext?.spanId)} > ${span.name}`).sort(),
    [
      'invoke_agent shop > chat scripted',
      'invoke_agent shop > chat scripted',
      'invoke_agent shop > execute_tool add',
      'invoke_agent shop > execute_tool weather',
      'none > invoke_agent shop',
    ],
  );
  const weather = ended.find(({ name }) => name === 'execute_tool weather');
  match(
    String(weather?.attributes['gen_ai.tool.call.result']),
    new RegExp(`00-${weather?.spanContext().traceId}-${weather?.spanContext().spanId}-01`),
  );
  const [run] = ended.filter(({ name }) => name === 'invoke_agent shop');
  equal(run?.attributes['gen_ai.usage.input_tokens'], 20);
  equal(counted('gen_ai.client.inference.usage.input_tokens'), 20);
  equal(counted('gen_ai.client.inference.usage.output_tokens'), 10);
}
