import type { Counter, Histogram, Meter } from '@opentelemetry/api';
import type { Convention } from './conventions';
import { METRICS } from './names';

// The boundaries that the conventions advise.
const INFERENCE_SECONDS = doubled(0.01, 14);
const AGENT_SECONDS = doubled(0.1, 13);
const CALLS = doubled(1, 8);
const TOKENS = Array.from({ length: 14 }, (_, index) => 4 ** index);
const STORE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const CHUNK_SECONDS = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];

/** All metrics of one convention. */
export type Instruments = ReturnType<typeof instrumentsOf>;

export function instrumentsOf(meter: Meter, convention: Convention) {
  const seconds = (name: string, description: string, boundaries: number[]): Histogram =>
    meter.createHistogram(name, {
      unit: 's',
      description,
      advice: { explicitBucketBoundaries: boundaries },
    });
  const calls = (name: string, description: string): Histogram =>
    meter.createHistogram(name, {
      unit: '{call}',
      description,
      advice: { explicitBucketBoundaries: CALLS },
    });
  const { chunks } = convention;
  return {
    inferenceDuration: seconds(
      convention.inferenceDuration,
      'Duration of calls of a model.',
      INFERENCE_SECONDS,
    ),
    ...(chunks && {
      timeToFirstChunk: seconds(
        chunks.timeToFirst,
        'Time to the first piece of an answer.',
        INFERENCE_SECONDS,
      ),
      timePerOutputChunk: seconds(
        chunks.timePerOutput,
        'Time from one piece of an answer to the next.',
        CHUNK_SECONDS,
      ),
    }),
    tokens: tokensOf(meter, convention.tokens),
    agentDuration: seconds(METRICS.agentDuration, 'Duration of runs.', AGENT_SECONDS),
    agentInferenceCalls: calls(METRICS.agentInferenceCalls, 'Model calls of a run.'),
    agentToolCalls: calls(METRICS.agentToolCalls, 'Tool calls of a run.'),
    toolDuration: seconds(METRICS.toolDuration, 'Duration of tool calls.', INFERENCE_SECONDS),
    runsActive: meter.createUpDownCounter(METRICS.runsActive, {
      unit: '{run}',
      description: 'Runs that go on now.',
    }),
    runsWaiting: meter.createUpDownCounter(METRICS.runsWaiting, {
      unit: '{run}',
      description: 'Runs that began to wait, less those that went on or ended.',
    }),
    streamsOpen: meter.createUpDownCounter(METRICS.streamsOpen, {
      unit: '{stream}',
      description: 'Event streams to clients.',
    }),
    runsRefused: meter.createCounter(METRICS.runsRefused, {
      unit: '{run}',
      description: 'Runs that could not begin or go on.',
    }),
    leaseLost: meter.createCounter(METRICS.leaseLost, {
      unit: '{lease}',
      description: 'Leases that were lost during a run.',
    }),
    storeDuration: seconds(
      METRICS.storeDuration,
      'Time that the session store takes to answer.',
      STORE_SECONDS,
    ),
    busLag: seconds(
      METRICS.busLag,
      'Time that events take over the bus to a reader in another process.',
      STORE_SECONDS,
    ),
    queueDepth: meter.createObservableGauge(METRICS.queueDepth, {
      unit: '{run}',
      description: 'Runs that wait for a worker, of all processes.',
    }),
    queueWait: seconds(METRICS.queueWait, 'Time that a run waits for a worker.', STORE_SECONDS),
  };
}

function tokensOf(meter: Meter, tokens: Convention['tokens']) {
  if (tokens.as === 'histogram') {
    const { as, usage, typeAttribute } = tokens;
    const histogram = meter.createHistogram(usage, {
      unit: '{token}',
      description: 'Tokens of model calls.',
      advice: { explicitBucketBoundaries: TOKENS },
    });
    return { as, usage: histogram, typeAttribute };
  }
  const { as, input, output, cacheRead, cacheWrite, reasoning } = tokens;
  const counter = (name: string, description: string): Counter =>
    meter.createCounter(name, { unit: '{token}', description });
  return {
    as,
    input: counter(input, 'Tokens sent.'),
    output: counter(output, 'Tokens written by the model.'),
    cacheRead: counter(cacheRead, 'Of the tokens sent, those read from a cache.'),
    cacheWrite: counter(cacheWrite, 'Of the tokens sent, those written to a cache.'),
    reasoning: counter(reasoning, "Of the tokens written, the model's thoughts."),
  };
}

function doubled(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Number((first * 2 ** index).toPrecision(6)));
}
