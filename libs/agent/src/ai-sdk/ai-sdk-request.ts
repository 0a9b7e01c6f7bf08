import type { JsonObject } from '../message';
import { type ModelRequest } from '../model';
import { providerName } from '../model/tool-calls';
import { withPlainRoot } from '../model/dialect';
import type { AiSdkProviderTool } from './ai-sdk-language-model';
import { toAiSdkPrompt, type PromptSettings } from './ai-sdk-prompt';
import type { CallOptions } from './ai-sdk-call';

export interface RequestSettings extends PromptSettings {
  readonly providerOptions: Readonly<Record<string, JsonObject>> | undefined;
  readonly providerTools: readonly AiSdkProviderTool[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** The effort levels of specification v4; earlier versions have none. */
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** A request in the specification's form, without its abort signal. */
export async function toAiSdkOptions(
  request: ModelRequest,
  { providerOptions, providerTools = [], headers, ...settings }: RequestSettings,
): Promise<CallOptions> {
  const { version } = settings;
  const { maxTokens, temperature, topP, presencePenalty, frequencyPenalty, seed, stop } = request;
  const { toolChoice, reasoningEffort = '' } = request;
  const type = version === 'v2' ? 'provider-defined' : 'provider';
  const tools = [
    ...providerTools.map((tool) => ({ type, ...tool })),
    ...request.tools.map(({ name, description, input_schema: schema }) => ({
      type: 'function',
      name: providerName(name),
      description,
      inputSchema: { ...withPlainRoot(schema), $schema: undefined },
    })),
  ];
  const format = responseFormatOf(request);
  const options = {
    prompt: await toAiSdkPrompt(request, settings),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && stop.length > 0 && { stopSequences: [...stop] }),
    ...(format && { responseFormat: format }),
    ...(tools.length > 0 && { tools, toolChoice: toolChoiceOf(toolChoice) }),
    ...(version === 'v4' && EFFORTS.includes(reasoningEffort) && { reasoning: reasoningEffort }),
    ...(providerOptions && { providerOptions: { ...providerOptions } }),
    ...(headers && { headers: { ...headers } }),
  };
  return options as unknown as CallOptions;
}

function toolChoiceOf(choice: ModelRequest['toolChoice'] = 'auto'): object {
  if (typeof choice === 'object') return { type: 'tool', toolName: providerName(choice.name) };
  return { type: choice };
}

function responseFormatOf({ responseFormat: format }: ModelRequest): object | undefined {
  if (format === undefined) return undefined;
  if (format.type === 'json_object') return { type: 'json' };
  const { name, schema, description } = format;
  return {
    type: 'json',
    name: providerName(name),
    schema: { ...withPlainRoot(schema), $schema: undefined },
    ...(description !== undefined && { description }),
  };
}
