import {
  type Attributes,
  createNoopMeter,
  type Meter,
  type MeterProvider,
  metrics,
  type ObservableResult,
} from '@opentelemetry/api';
import type { Usage } from '../message';
import type {
  ObservedEvent,
  ObservedMeasure,
  ObservedModel,
  ObservedModelCall,
  ObservedModelCallEnd,
  ObservedQueue,
  ObservedRun,
  ObservedRunEnd,
  ObservedToolCall,
} from '../telemetry';
import type { Convention } from './conventions';
import { type Instruments, instrumentsOf } from './instruments';
import { GEN_AI, GENERAL, OTHER, OWN } from './names';
import type { RunCounts } from './own-span';
import { conventionalProvider } from './known-providers';
import { SCOPE, VERSION } from './version';

/** Records metrics. No id, principal or message is an attribute of one. */
export class AgentMetrics {
  private made: Instruments | undefined;

  constructor(
    private readonly convention: Convention,
    private readonly provider: MeterProvider | undefined,
  ) {}

  /** Whether a meter records; an SDK may still start. */
  get isOn(): boolean {
    return this.made !== undefined || this.meter !== createNoopMeter();
  }

  runBegan({ agent }: ObservedRun): void {
    this.instruments.runsActive.add(1, { [GEN_AI.agent]: agent });
  }

  runEnded({ agent }: ObservedRun, end: ObservedRunEnd, counts: RunCounts, seconds: number): void {
    const { runsActive, agentDuration, agentInferenceCalls, agentToolCalls } = this.instruments;
    const attributes = { [GEN_AI.agent]: agent, ...errorOf(end) };
    runsActive.add(-1, { [GEN_AI.agent]: agent });
    agentDuration.record(seconds, attributes);
    agentInferenceCalls.record(counts.inferenceCalls, attributes);
    agentToolCalls.record(counts.toolCalls, attributes);
  }

  modelCallEnded(info: ObservedModelCall, end: ObservedModelCallEnd, seconds: number): void {
    const { inferenceDuration, timeToFirstChunk, timePerOutputChunk } = this.instruments;
    const model = modelOf(info);
    const attributes = { ...model, ...errorOf(end) };
    inferenceDuration.record(seconds, attributes);
    const [first, ...others] = end.chunkMs;
    if (first !== undefined) timeToFirstChunk?.record(first / 1_000, attributes);
    for (const ms of others) timePerOutputChunk?.record(ms / 1_000, attributes);
    // The usage of runs is measured from the journal.
    if (info.reason === 'generate' && end.usage) this.count(model, end.usage);
  }

  toolCallEnded({ tool, kind }: ObservedToolCall, end: EndedCall, seconds: number): void {
    // Tools of a web page have names of its choice.
    const name = kind === 'frontend' ? OTHER : tool;
    this.instruments.toolDuration.record(seconds, { [GEN_AI.tool]: name, ...errorOf(end) });
  }

  happened({ type, agent }: ObservedEvent): void {
    const change = type === 'parked' ? 1 : type === 'resumed' ? -1 : 0;
    if (change !== 0) this.instruments.runsWaiting.add(change, { [GEN_AI.agent]: agent });
  }

  measured(measure: ObservedMeasure): void {
    const { instruments } = this;
    const agent = { [GEN_AI.agent]: measure.agent };
    switch (measure.type) {
      case 'usage':
        this.count(modelOf(measure), measure.usage);
        break;
      case 'stream.opened':
        instruments.streamsOpen.add(1, agent);
        break;
      case 'stream.closed':
        instruments.streamsOpen.add(-1, agent);
        break;
      case 'run.refused':
        instruments.runsRefused.add(1, { ...agent, [OWN.reason]: measure.reason });
        break;
      case 'wait.ended':
        instruments.runsWaiting.add(-1, agent);
        break;
      case 'lease.lost':
        instruments.leaseLost.add(1, agent);
        break;
      case 'bus.delivered':
        instruments.busLag.record(measure.lagMs / 1_000);
        break;
      case 'queue.left':
        instruments.queueWait.record(measure.waitedMs / 1_000, agent);
        break;
      case 'store.answered': {
        const { operation, durationMs, isFailed } = measure;
        const error = isFailed && { [GENERAL.error]: OTHER };
        instruments.storeDuration.record(durationMs / 1_000, {
          [OWN.operation]: operation,
          ...error,
        });
        break;
      }
    }
  }

  /** Reads the queue whenever metrics are collected. */
  watchQueue(queue: ObservedQueue): void {
    const { queueDepth } = this.instruments;
    const observe = async (result: ObservableResult): Promise<void> => {
      const runs = await queue.depth();
      if (runs !== undefined) result.observe(runs);
    };
    queueDepth.addCallback(observe);
    const leave = (): void => queueDepth.removeCallback(observe);
    queue.closing.addEventListener('abort', leave, { once: true });
  }

  private count(model: Attributes, usage: Usage): void {
    const { tokens } = this.instruments;
    if (tokens.as === 'histogram') {
      const { usage: histogram, typeAttribute } = tokens;
      histogram.record(usage.inputTokens, { ...model, [typeAttribute]: 'input' });
      histogram.record(usage.outputTokens, { ...model, [typeAttribute]: 'output' });
      return;
    }
    tokens.input.add(usage.inputTokens, model);
    tokens.output.add(usage.outputTokens, model);
    if (usage.cachedInputTokens > 0) tokens.cacheRead.add(usage.cachedInputTokens, model);
    if (usage.cacheWriteTokens > 0) tokens.cacheWrite.add(usage.cacheWriteTokens, model);
    if (usage.reasoningTokens > 0) tokens.reasoning.add(usage.reasoningTokens, model);
  }

  /** Created at the first use: instruments created before an SDK starts have no effect. */
  private get instruments(): Instruments {
    return (this.made ??= instrumentsOf(this.meter, this.convention));
  }

  private get meter(): Meter {
    return (this.provider ?? metrics.getMeterProvider()).getMeter(SCOPE, VERSION);
  }
}

interface EndedCall {
  readonly errorCode?: string;
}

function errorOf({ errorCode }: EndedCall): Attributes {
  return errorCode === undefined ? {} : { [GENERAL.error]: errorCode };
}

function modelOf({ model, provider }: ObservedModel): Attributes {
  return {
    [GEN_AI.operation]: 'chat',
    [GEN_AI.provider]: conventionalProvider(provider),
    [GEN_AI.model]: model,
  };
}
