import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NestInstrumentation } from '@opentelemetry/instrumentation-nestjs-core';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

// The official instrumentations of the 0.30x line. They patch modules that are loaded after them,
// so this file is imported first.
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
for (const instrumentation of [
  new HttpInstrumentation(),
  new ExpressInstrumentation(),
  new NestInstrumentation(),
  new UndiciInstrumentation(),
]) {
  instrumentation.enable();
}

/** The spans that have ended. */
export const spans = () => exporter.getFinishedSpans();

/** The spans of requests that a server received. */
export const serverSpans = () => spans().filter(({ kind }) => kind === SpanKind.SERVER);
