/** Attributes that the conventions share. */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  agent: 'gen_ai.agent.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  conversation: 'gen_ai.conversation.id',
  maxTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  stop: 'gen_ai.request.stop_sequences',
  isStreamed: 'gen_ai.request.stream',
  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolDescription: 'gen_ai.tool.description',
  callId: 'gen_ai.tool.call.id',
} as const;

/** Attributes that hold text of the conversation. */
export const CONTENT = {
  system: 'gen_ai.system_instructions',
  input: 'gen_ai.input.messages',
  output: 'gen_ai.output.messages',
  tools: 'gen_ai.tool.definitions',
  arguments: 'gen_ai.tool.call.arguments',
  result: 'gen_ai.tool.call.result',
} as const;

/** The span event that holds the text of a model call. */
export const CONTENT_EVENT = 'gen_ai.client.inference.operation.details';

/** Names of other conventions. Langfuse groups by the session and the user. */
export const GENERAL = {
  error: 'error.type',
  session: 'session.id',
  user: 'user.id',
} as const;

/** The library's own attributes. */
export const OWN = {
  run: 'nestjs_agent.run.id',
  stopReason: 'nestjs_agent.stop_reason',
  status: 'nestjs_agent.status',
  steps: 'nestjs_agent.steps',
  callReason: 'nestjs_agent.call.reason',
  toolKind: 'nestjs_agent.tool.kind',
  toolAttempts: 'nestjs_agent.tool.attempts',
  toolApproval: 'nestjs_agent.tool.approval',
  toolIsCached: 'nestjs_agent.tool.cached',
  attempt: 'nestjs_agent.attempt',
  delayMs: 'nestjs_agent.delay_ms',
  from: 'nestjs_agent.fallback.from',
  to: 'nestjs_agent.fallback.to',
  tokensBefore: 'nestjs_agent.tokens.before',
  tokensAfter: 'nestjs_agent.tokens.after',
  answer: 'nestjs_agent.answer',
  outcome: 'nestjs_agent.outcome',
  pending: 'nestjs_agent.pending',
  reason: 'nestjs_agent.reason',
  operation: 'nestjs_agent.operation',
} as const;

/** Metrics that are the same in both conventions. */
export const METRICS = {
  agentDuration: 'gen_ai.invoke_agent.duration',
  agentInferenceCalls: 'gen_ai.invoke_agent.inference_calls',
  agentToolCalls: 'gen_ai.invoke_agent.tool_calls',
  toolDuration: 'gen_ai.execute_tool.duration',
  runsActive: 'nestjs_agent.runs.active',
  runsWaiting: 'nestjs_agent.runs.waiting',
  streamsOpen: 'nestjs_agent.streams.open',
  runsRefused: 'nestjs_agent.runs.refused',
  leaseLost: 'nestjs_agent.lease.lost',
  storeDuration: 'nestjs_agent.store.duration',
  busLag: 'nestjs_agent.bus.lag',
  queueDepth: 'nestjs_agent.queue.depth',
  queueWait: 'nestjs_agent.queue.wait',
} as const;

/** Replaces a name that a model or a client has chosen. */
export const OTHER = '_OTHER';
