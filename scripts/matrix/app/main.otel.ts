import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { converse } from './otel.conversation.js';
import { metricsInMemory } from './otel.metrics.js';

// The 2.x line of the SDK.
const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});

void converse(new AsyncLocalStorageContextManager().enable(), {
  tracerProvider,
  ...metricsInMemory(),
  spans: () => exporter.getFinishedSpans(),
});
