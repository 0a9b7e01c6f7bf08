import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { OtelTelemetry } from './otel.telemetry';

describe('metrics between processes', () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  afterAll(() => meterProvider.shutdown());

  const collected = async () => {
    exporter.reset();
    await reader.forceFlush();
    return exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
      .map(({ descriptor: { name, unit }, dataPoints }) => ({
        name,
        unit,
        points: dataPoints.map(({ attributes, value }) => ({ attributes, value })),
      }));
  };

  it('ask for the length of the queue as they are collected, until the process leaves it', async () => {
    const closing = new AbortController();
    let depth: number | undefined = 3;
    let asked = 0;
    new OtelTelemetry({ meterProvider }).queue({
      depth: () => {
        asked += 1;
        return Promise.resolve(depth);
      },
      closing: closing.signal,
    });
    expect(asked).toBe(0);
    const name = 'nestjs_agent.queue.depth';
    expect(await collected()).toEqual([
      { name, unit: '{run}', points: [{ attributes: {}, value: 3 }] },
    ]);
    depth = undefined;
    expect((await collected()).flatMap(({ points }) => points)).toEqual([]);
    closing.abort();
    await collected();
    expect(asked).toBe(2);
  });

  it('hold the lag of the bus in seconds', async () => {
    const telemetry = new OtelTelemetry({ meterProvider });
    for (const lagMs of [20, 40])
      telemetry.measure({ agent: 'agent', type: 'bus.delivered', lagMs });
    const [lag] = await collected();
    expect(lag).toMatchObject({
      name: 'nestjs_agent.bus.lag',
      unit: 's',
      points: [{ attributes: {}, value: { count: 2, max: 0.04 } }],
    });
  });

  it('have none of this without metrics', () => {
    const closing = new AbortController();
    const depth = jest.fn();
    new OtelTelemetry({ metrics: false, meterProvider }).queue({ depth, closing: closing.signal });
    expect(depth).not.toHaveBeenCalled();
  });
});
