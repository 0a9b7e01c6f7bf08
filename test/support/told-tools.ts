import type { Tool } from '@anthropic-ai/sdk/resources/messages';
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import { toAnthropicRequest } from '../../libs/agent/src/anthropic/anthropic-request';
import { OPENAI_QUIRKS } from '../../libs/agent/src/model/openai/openai-quirks';
import { toOpenAiRequest } from '../../libs/agent/src/model/openai/openai-request';
import type { JsonSchema, ToolDefinition } from '../../libs/agent/src/tool';

/** A tool as it stands in the requests that the adapters send. */
export interface ToldTool {
  readonly openAi: ChatCompletionFunctionTool;
  /** As a service is told that speaks OpenAI's protocol and has no strict mode. */
  readonly compatible: ChatCompletionFunctionTool;
  readonly anthropic: Tool;
}

const ANTHROPIC = { model: 'model', cacheTtl: undefined };

/** What the adapters make of a tool. */
export function toldTool(definition: ToolDefinition): ToldTool {
  const request = { messages: [], tools: [definition] };
  const [openAi] = toOpenAiRequest(request, 'model', OPENAI_QUIRKS).tools ?? [];
  const [compatible] = toOpenAiRequest(request, 'model').tools ?? [];
  const [anthropic] = toAnthropicRequest(request, ANTHROPIC).tools ?? [];
  return {
    openAi: openAi as ChatCompletionFunctionTool,
    compatible: compatible as ChatCompletionFunctionTool,
    anthropic: anthropic as Tool,
  };
}

/** What the adapters bind an answer to; nothing where only the prompt can ask for it. */
export function toldAnswer(schema: JsonSchema): {
  readonly openAi: JsonSchema | undefined;
  readonly anthropic: JsonSchema | undefined;
} {
  const responseFormat = { type: 'json_schema', name: 'answer', schema } as const;
  const request = { messages: [], tools: [], responseFormat };
  const { response_format: format } = toOpenAiRequest(request, 'model', OPENAI_QUIRKS);
  const { output_config: output } = toAnthropicRequest(request, ANTHROPIC);
  const bound = format?.type === 'json_schema' ? format.json_schema : undefined;
  return {
    openAi: bound?.strict === true ? bound.schema : undefined,
    anthropic: output?.format?.schema,
  };
}
