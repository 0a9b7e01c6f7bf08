import { serverSpans, spans } from './otel.instrumented.js';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule, Tool } from 'nestjs-agent';
import { otel } from 'nestjs-agent/otel';
import { ScriptedModel } from 'nestjs-agent/testing';

const CITIES = ['Bern', 'Oslo', 'Lima'];

@Controller('weather')
class WeatherController {
  @Tool({ name: 'weather', description: 'Tell the weather', readOnly: true })
  @Get(':city')
  tell(@Param('city') city: string): { readonly city: string } {
    return { city };
  }
}

/** Beside the official instrumentations, each route call is one request, under its tool's span. */
async function main(): Promise<void> {
  const toolCalls = CITIES.map((city) => ({ name: 'weather', input: { city } }));
  const model = new ScriptedModel([{ toolCalls }, 'Sunny everywhere.']);
  @Module({
    imports: [AgentModule.forRoot({ model, telemetry: otel({ metrics: false }) })],
    controllers: [WeatherController],
  })
  class OtelModule {}
  const app = await NestFactory.create(OtelModule, { logger: ['error', 'fatal'] });
  await app.listen(0, '127.0.0.1');
  try {
    const response = await fetch(`${await app.getUrl()}/agent/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'How is the weather?' }),
    });
    equal(response.status, 200);
    equal(((await response.json()) as { readonly status: string }).status, 'completed');
  } finally {
    await app.close();
  }
  const idsOf = (name: string) =>
    spans()
      .filter((span) => span.name === name)
      .map((span) => span.spanContext().spanId);
  const parents = serverSpans().map((span) => span.parentSpanContext?.spanId);
  const calls = idsOf('execute_tool weather');
  equal(calls.length, CITIES.length);
  equal(serverSpans().length, CITIES.length + 1);
  deepEqual(parents.filter((id) => id !== undefined && calls.includes(id)).sort(), calls.sort());
  // Nest's own start is a trace of its own.
  equal(new Set(serverSpans().map((span) => span.spanContext().traceId)).size, 1);
  const scopes = spans().map(({ instrumentationScope: { name } }) => name.split('/').at(-1));
  for (const scope of ['http', 'express', 'nestjs-core', 'undici']) {
    ok(scopes.includes(`instrumentation-${scope}`), `No span of instrumentation-${scope}`);
  }
}

void main();
