import { metrics } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

// OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which the providers do not read themselves
const resource = defaultResource().merge(detectResources({ detectors: [envDetector] }));

const tracers = new NodeTracerProvider({
  resource,
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
tracers.register();

const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() });
const meters = new MeterProvider({ resource, readers: [reader] });
metrics.setGlobalMeterProvider(meters);

new HttpInstrumentation().enable();

/** Sends buffered data: spans wait for up to 5 seconds, metrics for a minute. */
export async function stopTelemetry(): Promise<void> {
  await Promise.allSettled([tracers.shutdown(), meters.shutdown()]);
}
