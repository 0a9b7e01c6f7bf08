import { type Attributes, context, ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type Sampler,
  SamplingDecision,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { ObservedModelCall, ObservedModelCallEnd, ObservedRunEnd } from '../telemetry';
import { OtelTelemetry } from './otel.telemetry';

const ORIGIN = { agent: 'shop', runId: 'r1', sessionId: 's1', principal: 'alice' };
const MODEL = { model: 'gpt', provider: 'openai' };
const USAGE = {
  inputTokens: 9,
  outputTokens: 3,
  totalTokens: 12,
  cachedInputTokens: 4,
  cacheWriteTokens: 5,
  reasoningTokens: 2,
};
const CALL: ObservedModelCall = {
  ...ORIGIN,
  ...MODEL,
  reason: 'step',
  attempt: 1,
  maxTokens: 100,
  temperature: 0.5,
  stop: ['END'],
  isCompacted: true,
};
const ANSWER: ObservedModelCallEnd = { status: 'completed', usage: USAGE, chunkMs: [20, 5] };
const RUN_END: ObservedRunEnd = {
  status: 'completed',
  stopReason: 'end_turn',
  usage: USAGE,
  steps: 1,
};

describe('spans', () => {
  const sampled: Attributes[] = [];
  const sampler: Sampler = {
    shouldSample: (_context, _traceId, _name, _kind, attributes) => {
      sampled.push({ ...attributes });
      return { decision: SamplingDecision.RECORD_AND_SAMPLED };
    },
    toString: () => 'all',
  };
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    sampler,
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  beforeEach(() => {
    sampled.length = 0;
    exporter.reset();
  });
  afterAll(() => tracerProvider.shutdown());

  it('show samplers whose work they are as they begin', async () => {
    const telemetry = new OtelTelemetry({ tracerProvider, metrics: false });
    await telemetry.run({ ...ORIGIN, ...MODEL, reason: 'start' }, () => Promise.resolve(RUN_END));
    await telemetry.modelCall(CALL, () => Promise.resolve(ANSWER));
    const known = {
      'gen_ai.agent.name': 'shop',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt',
      'gen_ai.conversation.id': 's1',
      'nestjs_agent.run.id': 'r1',
    };
    expect(sampled).toEqual([
      expect.objectContaining({ ...known, 'gen_ai.operation.name': 'invoke_agent' }),
      expect.objectContaining({ ...known, 'gen_ai.operation.name': 'chat' }),
    ]);
  });

  it('tell what a model was asked for, and what it counted', async () => {
    const telemetry = new OtelTelemetry({ tracerProvider, metrics: false });
    await telemetry.modelCall(CALL, () => Promise.resolve(ANSWER));
    expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({
      'gen_ai.request.max_tokens': 100,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.conversation.compacted': true,
      'gen_ai.response.time_to_first_chunk': 0.02,
      'gen_ai.usage.cache_read.input_tokens': 4,
      'gen_ai.usage.cache_write.input_tokens': 5,
      'gen_ai.usage.reasoning.output_tokens': 2,
    });
  });

  it('have the names of the older convention where that is asked for', async () => {
    const telemetry = new OtelTelemetry({ tracerProvider, metrics: false, semconv: '1.41' });
    await telemetry.modelCall(CALL, () => Promise.resolve(ANSWER));
    const { attributes = {} } = exporter.getFinishedSpans()[0] ?? {};
    expect(attributes['gen_ai.usage.cache_creation.input_tokens']).toBe(5);
    expect(attributes).not.toHaveProperty(['gen_ai.usage.cache_write.input_tokens']);
    expect(attributes).not.toHaveProperty(['gen_ai.conversation.compacted']);
  });

  it('link the span that a run waited in', async () => {
    const telemetry = new OtelTelemetry({ tracerProvider, metrics: false });
    const waitedIn = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    const run = { ...ORIGIN, reason: 'resume', waitedIn } as const;
    await telemetry.run(run, () => Promise.resolve(RUN_END));
    const [link] = exporter.getFinishedSpans()[0]?.links ?? [];
    expect(link?.context).toMatchObject(waitedIn);
  });

  it('of a queued run are below its request, recorded or not', async () => {
    const telemetry = new OtelTelemetry({ tracerProvider, metrics: false });
    const requestedIn = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    const run = { ...ORIGIN, reason: 'resume' } as const;
    const unsampled = { ...requestedIn, isSampled: false } as const;
    for (const each of [requestedIn, unsampled]) {
      await telemetry.run({ ...run, requestedIn: each }, () => Promise.resolve(RUN_END));
    }
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ parentSpanContext: parent }) => parent)).toMatchObject([
      { ...requestedIn, traceFlags: TraceFlags.SAMPLED },
      { ...requestedIn, traceFlags: TraceFlags.NONE },
    ]);
  });

  it('say of a trace that is not recorded that it is not', () => {
    const telemetry = new OtelTelemetry({ tracerProvider, metrics: false });
    const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    const contexts = new AsyncLocalStorageContextManager();
    context.setGlobalContextManager(contexts);
    const traceOf = (traceFlags: TraceFlags) => {
      const parent = trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags });
      return context.with(parent, () => telemetry.trace());
    };
    expect(traceOf(TraceFlags.SAMPLED)).toEqual(ids);
    expect(traceOf(TraceFlags.NONE)).toEqual({ ...ids, isSampled: false });
    context.disable();
  });
});
