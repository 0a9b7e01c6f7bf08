import { createHash } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';
import { defined } from '../internal';
import type {
  ObservedEvent,
  ObservedModelCall,
  ObservedModelCallEnd,
  ObservedOrigin,
  ObservedToolCall,
  ObservedToolCallEnd,
} from '../telemetry';
import type { Convention } from './conventions';
import { GEN_AI, GENERAL, OTHER, OWN } from './names';
import type { OtelOptions } from './otel-options';
import { conventionalProvider } from './known-providers';

/** The attributes of every span: the agent, session, run and user. */
export function identityOf(
  { agent, runId, sessionId, principal }: ObservedOrigin,
  shown: OtelOptions['principal'],
): Attributes {
  return defined({
    [GEN_AI.agent]: agent,
    [GEN_AI.conversation]: sessionId,
    [OWN.run]: runId,
    [GENERAL.session]: sessionId,
    [GENERAL.user]: principal === undefined ? undefined : userId(principal, shown),
  });
}

function userId(principal: string, shown: OtelOptions['principal']): string | undefined {
  switch (shown) {
    case 'plain':
      return principal;
    case 'hash':
      return createHash('sha256').update(principal).digest('hex');
    case 'none':
    case undefined:
      return undefined;
  }
}

export function modelCallAttributes(
  { model, provider, reason, maxTokens, temperature, stop, isCompacted }: ObservedModelCall,
  { attributes }: Convention,
): Attributes {
  return defined({
    [GEN_AI.operation]: 'chat',
    [GEN_AI.provider]: conventionalProvider(provider),
    [GEN_AI.model]: model,
    [GEN_AI.isStreamed]: true,
    [GEN_AI.maxTokens]: maxTokens,
    [GEN_AI.temperature]: temperature,
    [GEN_AI.stop]: stop && [...stop],
    [OWN.callReason]: reason,
    ...(isCompacted && attributes.isCompacted && { [attributes.isCompacted]: true }),
  });
}

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

export function toolCallAttributes({
  tool,
  kind,
  callId,
  description,
  approval,
}: ObservedToolCall): Attributes {
  return defined({
    [GEN_AI.operation]: 'execute_tool',
    [GEN_AI.tool]: tool,
    [GEN_AI.toolType]: kind === 'frontend' ? 'extension' : 'function',
    [GEN_AI.callId]: callId,
    [GEN_AI.toolDescription]: description,
    [OWN.toolKind]: kind,
    [OWN.toolApproval]: approval,
  });
}

export function toolCallEndAttributes({ status, attempts }: ObservedToolCallEnd): Attributes {
  return {
    [OWN.status]: status,
    [OWN.toolAttempts]: attempts,
    [OWN.toolIsCached]: status === 'executed' && attempts === 0,
  };
}

/** The attributes of an event on the span that it belongs to. */
export function eventAttributes(event: ObservedEvent): Attributes {
  switch (event.type) {
    case 'retry':
      return {
        [OWN.attempt]: event.attempt,
        [OWN.delayMs]: event.delayMs,
        [GENERAL.error]: event.errorCode,
      };
    case 'fallback':
      return { [OWN.from]: event.from, [OWN.to]: event.to, [GENERAL.error]: event.errorCode };
    case 'compaction':
      return { [OWN.tokensBefore]: event.tokensBefore, [OWN.tokensAfter]: event.tokensAfter };
    case 'approval.required':
      return { [GEN_AI.callId]: event.callId, [GEN_AI.tool]: event.tool };
    case 'approval.answered':
      return {
        [GEN_AI.callId]: event.callId,
        [GEN_AI.tool]: event.tool,
        [OWN.answer]: event.answer,
      };
    case 'tool.refused':
      return {
        [GEN_AI.callId]: event.callId,
        // Without a kind the tool is unknown: the model invented its name.
        [GEN_AI.tool]: event.kind === undefined ? OTHER : event.tool,
        [OWN.outcome]: event.outcome,
        [GENERAL.error]: event.errorCode,
      };
    case 'parked':
      return { [OWN.pending]: [...event.pending] };
    case 'resumed':
    case 'first_token':
      return {};
  }
}
