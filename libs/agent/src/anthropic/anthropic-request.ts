import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
  Tool,
  ToolChoice as AnthropicToolChoice,
} from '@anthropic-ai/sdk/resources/messages';
import type { ModelRequest, ToolChoice } from '../model';
import { providerName } from '../model/stream';
import { toAnthropicMessages, type AnthropicMessage } from './anthropic-messages';

export interface RequestSettings {
  readonly model: string;
  /** Marks what stays the same from call to call, so that the provider need not read it anew. */
  readonly promptCaching: boolean;
  /** Tokens that the model may think for; 0 for none. */
  readonly thinkingTokens: number;
}

const DEFAULT_MAX_TOKENS = 4_096;
const CACHED = { cache_control: { type: 'ephemeral' as const } };

/** One request in the terms of the Messages API, always streaming. */
export function toAnthropicRequest(
  request: ModelRequest,
  { model, promptCaching, thinkingTokens }: RequestSettings,
): MessageCreateParamsStreaming {
  const history = toAnthropicMessages(request.messages);
  const mark = promptCaching ? CACHED : {};
  const system = [request.system ?? '', ...history.system].filter((text) => text !== '');
  const tools = request.tools.map((tool, index, { length }): Tool => ({
    name: providerName(tool.name),
    description: tool.description,
    input_schema: { ...tool.input_schema, type: 'object' } as Tool['input_schema'],
    ...(index === length - 1 ? mark : {}),
  }));
  const choice = tools.length === 0 ? undefined : toToolChoice(request.toolChoice);
  const isForced = choice?.type === 'any' || choice?.type === 'tool';
  // A forced call leaves no room for thought, nor does an open round that began without one.
  const isThinking = thinkingTokens > 0 && !isForced && mayThink(history.messages);
  const maxTokens = request.maxTokens ?? DEFAULT_MAX_TOKENS;
  return {
    model,
    stream: true,
    max_tokens: isThinking ? Math.max(maxTokens, thinkingTokens + 1_024) : maxTokens,
    messages: promptCaching ? withCacheMark(history.messages) : [...history.messages],
    ...(system.length === 0 ? {} : { system: systemBlocks(system, promptCaching) }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(isThinking ? { thinking: { type: 'enabled', budget_tokens: thinkingTokens } } : {}),
    ...(request.temperature === undefined || isThinking
      ? {}
      : { temperature: request.temperature }),
    ...(request.stop === undefined || request.stop.length === 0
      ? {}
      : { stop_sequences: [...request.stop] }),
    ...(request.responseSchema === undefined
      ? {}
      : {
          output_config: {
            format: { type: 'json_schema', schema: { ...request.responseSchema.schema } },
          },
        }),
  };
}

function toToolChoice(choice: ToolChoice | undefined): AnthropicToolChoice | undefined {
  if (choice === undefined || choice === 'auto') return undefined;
  if (choice === 'none') return { type: 'none' };
  if (choice === 'required') return { type: 'any' };
  return { type: 'tool', name: providerName(choice.name) };
}

/** Whether the calls that wait for their results began with a thought, as the API then demands. */
function mayThink(messages: readonly AnthropicMessage[]): boolean {
  const isOpen = messages.at(-1)?.content.some(({ type }) => type === 'tool_result') === true;
  if (!isOpen) return true;
  const first = messages.at(-2)?.content[0];
  return first?.type === 'thinking' || first?.type === 'redacted_thinking';
}

function systemBlocks(texts: readonly string[], isCached: boolean): TextBlockParam[] {
  return texts.map((text, index) => ({
    type: 'text',
    text,
    ...(isCached && index === texts.length - 1 ? CACHED : {}),
  }));
}

/** The last message is marked, so that the next call finds everything up to it in the cache. */
function withCacheMark(messages: readonly AnthropicMessage[]): AnthropicMessage[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last === undefined || block === undefined) return [...messages];
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return [...messages];
  const marked = { ...block, ...CACHED } as ContentBlockParam;
  return [...messages.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), marked] }];
}
