import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';

/** Metrics in memory. */
export function metricsInMemory(): {
  readonly meterProvider: MeterProvider;
  readonly counted: (metric: string) => number;
} {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const counted = (metric: string): number =>
    (exporter.getMetrics()[0]?.scopeMetrics ?? [])
      .flatMap(({ metrics }) => metrics)
      .filter(({ descriptor }) => descriptor.name === metric)
      .flatMap(({ dataPoints }) => dataPoints.map(({ value }) => Number(value)))
      .reduce((sum, value) => sum + value, 0);
  return { meterProvider: new MeterProvider({ readers: [reader] }), counted };
}
