import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseTextConfig,
  Tool,
} from 'openai/resources/responses/responses';
import type { ReasoningEffort } from 'openai/resources/shared';
import { defined } from '../../../internal';
import type { ModelRequest, ResponseFormat, ToolChoice } from '../../chat-model';
import { wellFormed } from '../../history';
import type { OpenAiOptions } from '../openai-options';
import { jsonSchemaFormat, toOpenAiTool } from '../request';
import type { OpenAiQuirks } from '../openai-quirks';
import { providerName } from '../../tool-calls';
import type { ToolDefinition } from '../../../tool';
import { toResponsesInput } from './responses-input';

/** The model's options for a request. */
type ResponsesSettings = Pick<
  OpenAiOptions,
  'reasoning' | 'verbosity' | 'serviceTier' | 'promptCacheKey' | 'providerTools'
> & {
  readonly model: string;
  readonly quirks: OpenAiQuirks;
  /** The service, see `ProviderData`. */
  readonly provider: string;
  /** Whether the model thinks and returns its thoughts encrypted. */
  readonly isEncrypted: boolean;
};

/**
 * One request to the Responses API: streaming, and stateless, since the session stores the history.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export function toResponsesRequest(
  request: ModelRequest,
  settings: ResponsesSettings,
): ResponseCreateParamsStreaming {
  const { model, quirks, provider, isEncrypted, serviceTier, promptCacheKey } = settings;
  const { system, temperature, topP, maxTokens } = request;
  const tools = toolsOf(request.tools, settings);
  const choice = tools.length === 0 ? undefined : toolChoiceOf(request.toolChoice);
  return {
    model,
    stream: true,
    store: false,
    ...(isEncrypted && { include: ['reasoning.encrypted_content'] }),
    ...(system !== undefined && system !== '' && { instructions: wellFormed(system) }),
    input: toResponsesInput(request.messages, quirks, provider),
    ...(tools.length > 0 && { tools }),
    ...defined({
      tool_choice: choice,
      max_output_tokens: maxTokens,
      temperature,
      top_p: topP,
      reasoning: reasoningOf(request, settings),
      text: textOf(request, settings),
      service_tier: serviceTier as 'auto' | undefined,
      prompt_cache_key: promptCacheKey,
    }),
  };
}

function toolsOf(
  tools: readonly ToolDefinition[],
  { quirks, providerTools = [] }: ResponsesSettings,
): Tool[] {
  const own = tools.map((tool): FunctionTool => {
    const {
      name,
      description,
      parameters = {},
      strict,
    } = toOpenAiTool(tool, quirks.strictTools === true).function;
    // It is true by default.
    return { type: 'function', name, description, parameters, strict: strict === true };
  });
  return wellFormed([...own, ...(providerTools as unknown as Tool[])]);
}

function toolChoiceOf(
  choice: ToolChoice | undefined,
): ResponseCreateParamsStreaming['tool_choice'] {
  if (choice === undefined || choice === 'auto') return undefined;
  if (typeof choice === 'string') return choice;
  return { type: 'function', name: providerName(choice.name) };
}

function reasoningOf(
  { reasoningEffort }: ModelRequest,
  { reasoning }: ResponsesSettings,
): ResponseCreateParamsStreaming['reasoning'] {
  const effort = reasoningEffort ?? reasoning?.effort;
  const summary = reasoning?.summary;
  if (effort === undefined && summary === undefined) return undefined;
  return defined({ effort: effort as ReasoningEffort | undefined, summary });
}

function textOf(
  request: ModelRequest,
  settings: ResponsesSettings,
): ResponseTextConfig | undefined {
  const { responseFormat } = request;
  const verbosity = request.verbosity ?? settings.verbosity;
  if (responseFormat === undefined && verbosity === undefined) return undefined;
  return {
    ...(responseFormat && { format: formatOf(responseFormat) }),
    ...(verbosity !== undefined && { verbosity: verbosity as 'low' }),
  };
}

function formatOf(format: ResponseFormat): NonNullable<ResponseTextConfig['format']> {
  if (format.type === 'json_object') return { type: 'json_object' };
  return { type: 'json_schema', ...jsonSchemaFormat(format) };
}
