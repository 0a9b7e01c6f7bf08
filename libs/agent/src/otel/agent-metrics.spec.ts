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

  it('hold the wait for a worker, and each piece of an answer after the first', async () => {
    const telemetry = new OtelTelemetry({ meterProvider });
    const ended = { status: 'completed', chunkMs: [30, 250, 500] } as const;
    await telemetry.modelCall(
      { agent: 'a', model: 'm', provider: 'p', reason: 'step', attempt: 1, isCompacted: false },
      () => Promise.resolve(ended),
    );
    telemetry.measure({ agent: 'a', type: 'queue.left', waitedMs: 1_500, attempt: 1 });
    const metrics = await collected();
    const pointOf = (name: string) => metrics.find((each) => each.name === name)?.points[0]?.value;
    const client = 'gen_ai.client.inference';
    expect(pointOf(`${client}.time_to_first_chunk`)).toMatchObject({ count: 1, sum: 0.03 });
    expect(pointOf(`${client}.time_per_output_chunk`)).toMatchObject({
      count: 2,
      sum: 0.75,
      buckets: {
        boundaries: [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5],
      },
    });
    expect(pointOf(`${client}.duration`)).toMatchObject({
      buckets: {
        boundaries: [
          0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
        ],
      },
    });
    expect(pointOf('nestjs_agent.queue.wait')).toMatchObject({ count: 1, sum: 1.5 });
  });

  it('have none of this without metrics', () => {
    const closing = new AbortController();
    const depth = jest.fn();
    new OtelTelemetry({ metrics: false, meterProvider }).queue({ depth, closing: closing.signal });
    expect(depth).not.toHaveBeenCalled();
  });
});
