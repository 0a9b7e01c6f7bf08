import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
  ThinkingConfigParam,
  Tool,
  ToolChoice as AnthropicToolChoice,
} from '@anthropic-ai/sdk/resources/messages';
import type { ModelRequest, ToolChoice } from '../model';
import { wellFormed } from '../model/history';
import { providerName } from '../model/stream';
import { toAnthropicMessages, type AnthropicMessage } from './anthropic-messages';
import { anthropicOutputSchema } from './anthropic-output';
import { toAnthropicTool } from './anthropic-tool';

/** As much as the model sees fit, or up to a number of tokens. */
export type Thinking = 'adaptive' | { readonly budgetTokens: number };

export interface RequestSettings {
  readonly model: string;
  /** Marks what stays the same from call to call, so that the provider need not read it anew. */
  readonly promptCaching: boolean;
  /** How the model may think; where it is left out, as the model does by itself. */
  readonly thinking?: Thinking;
}

const DEFAULT_MAX_TOKENS = 4_096;
const CACHED = { cache_control: { type: 'ephemeral' as const } };

/** One request in the terms of the Messages API, always streaming. */
export function toAnthropicRequest(
  request: ModelRequest,
  { model, promptCaching, thinking }: RequestSettings,
): MessageCreateParamsStreaming {
  const history = toAnthropicMessages(request.messages);
  const mark = promptCaching ? CACHED : {};
  const system = [request.system ?? '', ...history.system].filter((text) => text.trim() !== '');
  const tools = request.tools.map((tool, index, { length }): Tool => ({
    ...toAnthropicTool(tool),
    ...(index === length - 1 ? mark : {}),
  }));
  const output = request.responseSchema && anthropicOutputSchema(request.responseSchema.schema);
  const choice = tools.length === 0 ? undefined : toToolChoice(request.toolChoice);
  const isForced = choice?.type === 'any' || choice?.type === 'tool';
  // A forced call leaves no room for thought.
  const thought = isForced ? undefined : thoughtOf(thinking, history.messages);
  const budgetTokens = thought?.type === 'enabled' ? thought.budget_tokens : 0;
  const maxTokens = request.maxTokens ?? DEFAULT_MAX_TOKENS;
  return {
    model,
    stream: true,
    max_tokens: budgetTokens > 0 ? Math.max(maxTokens, budgetTokens + 1_024) : maxTokens,
    messages: promptCaching ? withCacheMark(history.messages) : [...history.messages],
    ...(system.length === 0 ? {} : { system: wellFormed(systemBlocks(system, promptCaching)) }),
    ...(tools.length === 0 ? {} : { tools: wellFormed(tools) }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(thought === undefined ? {} : { thinking: thought }),
    ...(request.temperature === undefined || thought !== undefined
      ? {}
      : { temperature: request.temperature }),
    ...(request.stop === undefined || request.stop.length === 0
      ? {}
      : { stop_sequences: [...request.stop] }),
    ...(output === undefined
      ? {}
      : { output_config: { format: { type: 'json_schema', schema: { ...output } } } }),
  };
}

function toToolChoice(choice: ToolChoice | undefined): AnthropicToolChoice | undefined {
  if (choice === undefined || choice === 'auto') return undefined;
  if (choice === 'none') return { type: 'none' };
  if (choice === 'required') return { type: 'any' };
  return { type: 'tool', name: providerName(choice.name) };
}

function thoughtOf(
  thinking: Thinking | undefined,
  messages: readonly AnthropicMessage[],
): ThinkingConfigParam | undefined {
  if (thinking === undefined) return undefined;
  // Otherwise the newer models think unseen.
  if (thinking === 'adaptive') return { type: 'adaptive', display: 'summarized' };
  // An open round that began without a thought has no room for one.
  if (!mayThink(messages)) return undefined;
  return { type: 'enabled', budget_tokens: thinking.budgetTokens };
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
