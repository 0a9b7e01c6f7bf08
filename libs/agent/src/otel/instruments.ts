import type { Counter, Histogram, Meter, UpDownCounter } from '@opentelemetry/api';
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
  const histogram =
    (unit: string) =>
    (name: string, description: string, explicitBucketBoundaries: number[]): Histogram =>
      meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries } });
  const counterOf =
    (unit: string) =>
    (name: string, description: string): Counter =>
      meter.createCounter(name, { unit, description });
  const level = (name: string, unit: string, description: string): UpDownCounter =>
    meter.createUpDownCounter(name, { unit, description });
  const seconds = histogram('s');
  const calls = histogram('{call}');
  const { inferenceDuration, chunks, tokens } = convention;
  return {
    inferenceDuration: seconds(
      inferenceDuration,
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
    tokens: tokensOf(tokens, histogram('{token}'), counterOf('{token}')),
    agentDuration: seconds(METRICS.agentDuration, 'Duration of runs.', AGENT_SECONDS),
    agentInferenceCalls: calls(METRICS.agentInferenceCalls, 'Model calls of a run.', CALLS),
    agentToolCalls: calls(METRICS.agentToolCalls, 'Tool calls of a run.', CALLS),
    toolDuration: seconds(METRICS.toolDuration, 'Duration of tool calls.', INFERENCE_SECONDS),
    runsActive: level(METRICS.runsActive, '{run}', 'Runs that go on now.'),
    runsWaiting: level(
      METRICS.runsWaiting,
      '{run}',
      'Runs that began to wait, less those that went on or ended.',
    ),
    streamsOpen: level(METRICS.streamsOpen, '{stream}', 'Event streams to clients.'),
    runsRefused: counterOf('{run}')(METRICS.runsRefused, 'Runs that could not begin or go on.'),
    leaseLost: counterOf('{lease}')(METRICS.leaseLost, 'Leases that were lost during a run.'),
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

function tokensOf(
  tokens: Convention['tokens'],
  histogram: (name: string, description: string, boundaries: number[]) => Histogram,
  counter: (name: string, description: string) => Counter,
) {
  if (tokens.as === 'histogram') {
    return { ...tokens, usage: histogram(tokens.usage, 'Tokens of model calls.', TOKENS) };
  }
  return {
    as: tokens.as,
    input: counter(tokens.input, 'Tokens sent.'),
    output: counter(tokens.output, 'Tokens written by the model.'),
    cacheRead: counter(tokens.cacheRead, 'Of the tokens sent, those read from a cache.'),
    cacheWrite: counter(tokens.cacheWrite, 'Of the tokens sent, those written to a cache.'),
    reasoning: counter(tokens.reasoning, "Of the tokens written, the model's thoughts."),
  };
}

function doubled(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Number((first * 2 ** index).toPrecision(6)));
}
