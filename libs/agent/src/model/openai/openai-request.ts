import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionToolChoiceOption,
} from 'openai/resources/chat/completions';
import type { ModelRequest, ToolChoice } from '../chat-model';
import { wellFormed } from '../history';
import { providerName } from '../stream';
import { toOpenAiMessages } from './openai-messages';
import type { OpenAiQuirks } from './openai-quirks';
import { openAiParameters } from './openai-parameters';
import { openAiStrictSchema } from './openai-strict';
import { toOpenAiTool } from './openai-tool';

/** One request in Chat Completions' terms, always streaming. */
export function toOpenAiRequest(
  request: ModelRequest,
  model: string,
  quirks: OpenAiQuirks = {},
): ChatCompletionCreateParamsStreaming {
  // A service that takes no `none` still cannot call what it is not offered.
  const isWithoutTools = request.toolChoice === 'none' && quirks.toolChoice === 'auto';
  const tools = isWithoutTools
    ? []
    : request.tools.map((tool) => toOpenAiTool(tool, quirks.strictTools === true));
  const choice = tools.length === 0 ? undefined : toOpenAiToolChoice(request.toolChoice, quirks);
  return {
    model,
    stream: true,
    ...(quirks.streamUsage === false ? {} : { stream_options: { include_usage: true } }),
    messages: toMessages(request, quirks),
    ...(tools.length > 0 ? { tools: wellFormed(tools) } : {}),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(request.maxTokens === undefined
      ? {}
      : { [quirks.maxTokensField ?? 'max_tokens']: request.maxTokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.stop === undefined || request.stop.length === 0 ? {} : { stop: [...request.stop] }),
    ...responseFormat(request, quirks),
  };
}

function toOpenAiToolChoice(
  choice: ToolChoice | undefined,
  quirks: OpenAiQuirks,
): ChatCompletionToolChoiceOption | undefined {
  const supported = quirks.toolChoice ?? 'all';
  if (choice === undefined || choice === 'auto') return undefined;
  if (choice === 'none') return supported === 'auto' ? undefined : 'none';
  if (supported === 'auto' || supported === 'no-force') return undefined;
  const required = (quirks.requiredAs ?? 'required') as 'required';
  if (choice === 'required' || supported === 'no-name') return required;
  return { type: 'function', function: { name: providerName(choice.name) } };
}

function responseFormat(
  { responseSchema }: ModelRequest,
  quirks: OpenAiQuirks,
): Pick<ChatCompletionCreateParamsStreaming, 'response_format'> {
  if (responseSchema === undefined || quirks.responseFormat === 'prompt') return {};
  if (quirks.responseFormat === 'json_object') return { response_format: { type: 'json_object' } };
  const { name, schema } = responseSchema;
  const strict = openAiStrictSchema(schema);
  return {
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: providerName(name),
        ...('schema' in strict
          ? { schema: { ...strict.schema }, strict: true }
          : { schema: { ...openAiParameters(schema) }, strict: false }),
      },
    },
  };
}

function toMessages(request: ModelRequest, quirks: OpenAiQuirks): ChatCompletionMessageParam[] {
  const { responseSchema, system } = request;
  const needsHint =
    responseSchema !== undefined &&
    quirks.responseFormat !== undefined &&
    quirks.responseFormat !== 'json_schema';
  if (!needsHint) return toOpenAiMessages(system, request.messages, quirks);
  const hint = `Answer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(responseSchema.schema)}`;
  const whole = system === undefined || system === '' ? hint : `${system}\n\n${hint}`;
  return toOpenAiMessages(whole, request.messages, quirks);
}
