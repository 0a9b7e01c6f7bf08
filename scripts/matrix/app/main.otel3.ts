import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  TracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace';
import { converse } from './otel.conversation.js';
import { metricsInMemory } from './otel.metrics.js';

// The 3.x line of the SDK.
const exporter = new InMemorySpanExporter();
const tracerProvider = new TracerProvider({
  spanProcessors: [new SimpleSpanProcessor({ exporter })],
});

void converse(new AsyncLocalStorageContextManager().enable(), {
  tracerProvider,
  ...metricsInMemory(),
  spans: () => exporter.getFinishedSpans(),
});
