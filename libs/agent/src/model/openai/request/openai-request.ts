import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionToolChoiceOption,
} from 'openai/resources/chat/completions';
import type { ReasoningEffort } from 'openai/resources/shared';
import { defined } from '../../../internal';
import type { ModelRequest, ResponseFormat, ToolChoice } from '../../chat-model';
import type { JsonSchema } from '../../../tool';
import { grammarSchemaOf, plainUnionsOf } from '../../dialect';
import { wellFormed } from '../../history';
import { providerName } from '../../tool-calls';
import { withCacheMarks } from './openai-cache';
import { toOpenAiMessages } from './openai-messages';
import type { OpenAiQuirks } from '../openai-quirks';
import { jsonSchemaFormat, toOpenAiTool } from './openai-schema';

/** One request to Chat Completions, always streaming. */
export function toOpenAiRequest(
  request: ModelRequest,
  model: string,
  quirks: OpenAiQuirks = {},
  provider = '',
): ChatCompletionCreateParamsStreaming {
  // A service without `none` still cannot call tools that it is not offered.
  const isWithoutTools = request.toolChoice === 'none' && quirks.toolChoice === 'auto';
  const tools = isWithoutTools
    ? []
    : request.tools.map((tool) => {
        const input_schema = shaped(tool.input_schema, quirks);
        return toOpenAiTool({ ...tool, input_schema }, quirks.strictTools === true);
      });
  const choice = tools.length === 0 ? undefined : toOpenAiToolChoice(request.toolChoice, quirks);
  const body: ChatCompletionCreateParamsStreaming = {
    model,
    stream: true,
    ...(quirks.streamUsage === false ? {} : { stream_options: { include_usage: true } }),
    messages: toMessages(request, quirks, provider),
    ...(tools.length > 0 ? { tools: wellFormed(tools) } : {}),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(request.maxTokens === undefined
      ? {}
      : { [quirks.maxTokensField ?? 'max_tokens']: request.maxTokens }),
    ...settingsOf(request),
    ...responseFormat(request, quirks),
  };
  return withCacheMarks(body, quirks);
}

/** A schema in the form that the service accepts. */
function shaped(schema: JsonSchema, { plainUnions, grammarSchemas }: OpenAiQuirks): JsonSchema {
  const plain = plainUnions === true ? plainUnionsOf(schema) : schema;
  return grammarSchemas === true ? grammarSchemaOf(plain) : plain;
}

/** The settings of the answer. */
function settingsOf(request: ModelRequest): Partial<ChatCompletionCreateParamsStreaming> {
  const { temperature, topP, presencePenalty, frequencyPenalty, seed, stop } = request;
  const { reasoningEffort, verbosity } = request;
  return defined({
    temperature,
    top_p: topP,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
    seed,
    stop: stop && stop.length > 0 ? [...stop] : undefined,
    reasoning_effort: reasoningEffort as ReasoningEffort | undefined,
    verbosity: verbosity as 'low' | 'medium' | 'high' | undefined,
  });
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
  request: ModelRequest,
  quirks: OpenAiQuirks,
): Pick<ChatCompletionCreateParamsStreaming, 'response_format'> {
  const format = request.responseFormat;
  if (format === undefined || quirks.responseFormat === 'prompt') return {};
  if (format.type === 'json_object' || quirks.responseFormat === 'json_object') {
    return { response_format: { type: 'json_object' } };
  }
  const json_schema = jsonSchemaFormat({ ...format, schema: shaped(format.schema, quirks) });
  return { response_format: { type: 'json_schema', json_schema } };
}

/** Settings in words, for a service without fields for them. */
function formatHint(
  format: ResponseFormat | undefined,
  { responseFormat = 'json_schema' }: OpenAiQuirks,
): string | undefined {
  if (format === undefined || responseFormat === 'json_schema') return undefined;
  if (format.type === 'json_schema') {
    return `Answer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(format.schema)}`;
  }
  return responseFormat === 'prompt' ? 'Answer with nothing but one JSON object.' : undefined;
}

function toMessages(
  request: ModelRequest,
  quirks: OpenAiQuirks,
  provider: string,
): ChatCompletionMessageParam[] {
  const { system } = request;
  const hint = formatHint(request.responseFormat, quirks);
  if (hint === undefined) return toOpenAiMessages(system, request.messages, quirks, provider);
  const whole = system === undefined || system === '' ? hint : `${system}\n\n${hint}`;
  return toOpenAiMessages(whole, request.messages, quirks, provider);
}
