import type { Attributes } from '@opentelemetry/api';
import { defined } from '../internal';
import type { ObservedModelCall, ObservedModelCallEnd } from '../telemetry';
import type { Convention } from './convention.interface';
import { GEN_AI, OWN } from './names';

/** What is known of a model call when it begins. */
export function modelCallAttributes(
  { model, provider, reason, maxTokens, temperature, stop, isCompacted }: ObservedModelCall,
  { attributes }: Convention,
): Attributes {
  return defined({
    [GEN_AI.operation]: 'chat',
    [GEN_AI.provider]: provider,
    [GEN_AI.model]: model,
    [GEN_AI.isStreamed]: true,
    [GEN_AI.maxTokens]: maxTokens,
    [GEN_AI.temperature]: temperature,
    [GEN_AI.stop]: stop && [...stop],
    [OWN.callReason]: reason,
    ...(isCompacted && attributes.isCompacted && { [attributes.isCompacted]: true }),
  });
}

/** What is known of it at its end. */
export function modelCallEndAttributes(
  { usage, response = {}, finishReason, chunkMs: [firstChunkMs] }: ObservedModelCallEnd,
  { attributes }: Convention,
): Attributes {
  const reason = response.finishReason ?? finishReason;
  return defined({
    [GEN_AI.responseId]: response.id,
    [GEN_AI.responseModel]: response.model,
    [GEN_AI.finishReasons]: reason === undefined ? undefined : [reason],
    [GEN_AI.timeToFirstChunk]: firstChunkMs === undefined ? undefined : firstChunkMs / 1_000,
    ...(usage && {
      [GEN_AI.inputTokens]: usage.inputTokens,
      [GEN_AI.outputTokens]: usage.outputTokens,
      [GEN_AI.cacheReadTokens]: someOf(usage.cachedInputTokens),
      [attributes.cacheWriteTokens]: someOf(usage.cacheWriteTokens),
      [GEN_AI.reasoningTokens]: someOf(usage.reasoningTokens),
    }),
  });
}

/** 0 stands for unknown. */
function someOf(tokens: number): number | undefined {
  return tokens > 0 ? tokens : undefined;
}
