// Starts an OpenTelemetry SDK before the demo: node --require ./deploy/tracing.cjs main.js
// OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_SERVICE_NAME say where to, and under which name.
const { metrics } = require('@opentelemetry/api');
const { OTLPMetricExporter } = require('@opentelemetry/exporter-metrics-otlp-http');
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-http');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { defaultResource, detectResources, envDetector } = require('@opentelemetry/resources');
const { MeterProvider, PeriodicExportingMetricReader } = require('@opentelemetry/sdk-metrics');
const { BatchSpanProcessor, NodeTracerProvider } = require('@opentelemetry/sdk-trace-node');

// The providers do not read OTEL_SERVICE_NAME themselves.
const resource = defaultResource().merge(detectResources({ detectors: [envDetector] }));

const tracers = new NodeTracerProvider({
  resource,
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
tracers.register();
const meters = new MeterProvider({
  resource,
  readers: [
    new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter(),
      exportIntervalMillis: 10_000,
      exportTimeoutMillis: 5_000,
    }),
  ],
});
metrics.setGlobalMeterProvider(meters);
new HttpInstrumentation().enable();

// The demo ends its process itself, after its last runs; what they told is sent before.
const { exit } = process;
process.exit = (code) => {
  void Promise.allSettled([tracers.shutdown(), meters.shutdown()]).then(() => exit(code));
};
