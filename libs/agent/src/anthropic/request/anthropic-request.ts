import type {
  MessageCreateParamsStreaming,
  OutputConfig,
  TextBlockParam,
  ThinkingConfigParam,
  ToolChoice as AnthropicToolChoice,
  ToolUnion,
} from '@anthropic-ai/sdk/resources/messages';
import { toolUsesOf, type JsonObject, type Message } from '../../message';
import type { ModelRequest, ToolChoice } from '../../model';
import { providerName } from '../../model/tool-calls';
import { wellFormed } from '../../model/history';
import { cacheMark, lastMarked, withCacheMarks, type CacheTtl } from './anthropic-cache';
import { toAnthropicMessages, type AnthropicMessage } from './anthropic-messages';
import { hasResults, ownData } from '../stream';
import { toAnthropicTool } from './anthropic-tool';
import {
  type SchemaSize,
  STRICT_FORMATS,
  type StrictDialect,
  strictSchemaOf,
} from '../../model/dialect';
import type { JsonSchema } from '../../tool';

const FORMATS: ReadonlySet<unknown> = new Set([...STRICT_FORMATS, 'uri']);

const MAX_OPTIONAL_PROPERTIES = 24;

const MAX_UNIONS = 16;

/** @see https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations */
const ANTHROPIC_OUTPUT: StrictDialect = {
  takes: (keyword, value) =>
    keyword === 'format'
      ? FORMATS.has(value)
      : keyword === 'minItems' && (value === 0 || value === 1),
  requiresAll: false,
  allowsRecursion: false,
  excess: ({ optionalProperties, unions }: SchemaSize) =>
    optionalProperties > MAX_OPTIONAL_PROPERTIES || unions > MAX_UNIONS
      ? 'it leaves too much open'
      : undefined,
};

/** As much as the model decides, or up to a number of tokens. */
type Thinking = 'adaptive' | { readonly budgetTokens: number };

interface RequestSettings {
  readonly model: string;
  /** Marks the constant part of requests, so that the provider reads it from its cache. */
  readonly cacheTtl: CacheTtl | undefined;
  /** How the model may think; the model's own default if missing. */
  readonly thinking?: Thinking | undefined;
  /** How much effort the model puts into an answer. */
  readonly effort?: string | undefined;
  /** Tools that the provider runs itself, in the provider's form. */
  readonly providerTools?: readonly JsonObject[] | undefined;
}

const DEFAULT_MAX_TOKENS = 4_096;

/** One request to the Messages API, always streaming. */
export function toAnthropicRequest(
  request: ModelRequest,
  { model, cacheTtl, thinking, effort, providerTools = [] }: RequestSettings,
): MessageCreateParamsStreaming {
  const history = toAnthropicMessages(request.messages);
  const mark = cacheMark(cacheTtl);
  const system = [request.system ?? '', ...history.system].filter((text) => text.trim() !== '');
  const own = request.tools.map(toAnthropicTool);
  // The provider's come first: they never change, and not all of them can be marked.
  const tools = [...(providerTools as readonly unknown[] as ToolUnion[]), ...lastMarked(own, mark)];
  const choice = tools.length === 0 ? undefined : toToolChoice(request.toolChoice);
  const isForced = choice?.type === 'any' || choice?.type === 'tool';
  // The API rejects thinking together with a forced call.
  const thought = isForced ? undefined : thoughtOf(thinking, history.messages);
  const budgetTokens = thought?.type === 'enabled' ? thought.budget_tokens : 0;
  const maxTokens = request.maxTokens ?? DEFAULT_MAX_TOKENS;
  const output = outputConfig(request, effort);
  const container = containerOf(request.messages);
  // Blank ones, such as a line break, are refused.
  const stop = (request.stop ?? []).filter((text) => text.trim() !== '');
  return {
    model,
    stream: true,
    max_tokens: budgetTokens > 0 ? Math.max(maxTokens, budgetTokens + 1_024) : maxTokens,
    messages: withCacheMarks(history.messages, mark),
    ...(system.length === 0 ? {} : { system: wellFormed(lastMarked(system.map(toText), mark)) }),
    ...(tools.length === 0 ? {} : { tools: wellFormed(tools) }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(thought === undefined ? sampling(request) : { thinking: thought }),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(output === undefined ? {} : { output_config: output }),
    ...(container === undefined ? {} : { container }),
  };
}

/**
 * Thinking models accept neither, and newer models only one of them. OpenAI's temperatures go up to
 * 2, Anthropic's up to 1.
 */
function sampling({ temperature, topP }: ModelRequest): { temperature?: number; top_p?: number } {
  if (temperature !== undefined) return { temperature: Math.min(temperature, 1) };
  return topP === undefined ? {} : { top_p: topP };
}

function outputConfig(
  { responseFormat, reasoningEffort }: ModelRequest,
  defaultEffort: string | undefined,
): OutputConfig | undefined {
  const wanted = responseFormat?.type === 'json_schema' ? responseFormat.schema : undefined;
  const schema = wanted && anthropicOutputSchema(wanted);
  const effort = effortOf(reasoningEffort) ?? defaultEffort;
  if (schema === undefined && effort === undefined) return undefined;
  return {
    ...(effort !== undefined && { effort: effort as OutputConfig['effort'] }),
    ...(schema && { format: { type: 'json_schema', schema: { ...schema } } }),
  };
}

/** Clients use OpenAI's values, which include lower levels. */
function effortOf(effort: string | undefined): string | undefined {
  return effort === 'minimal' || effort === 'none' ? 'low' : effort;
}

/** The container of the code whose calls wait for results from this side. */
function containerOf(messages: readonly Message[]): string | undefined {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const isOpen = messages.slice(last + 1).some((message) => hasResults(message));
  const calls = isOpen ? toolUsesOf(messages[last] as Message) : [];
  const containers = calls.map(({ providerData }) => ownData(providerData)?.['container']);
  return containers.find((container) => typeof container === 'string');
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
  // Otherwise newer models do not return their thoughts.
  if (thinking === 'adaptive') return { type: 'adaptive', display: 'summarized' };
  // An open tool round that began without a thought cannot get one.
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

function toText(text: string): TextBlockParam {
  return { type: 'text', text };
}

/**
 * A schema that Anthropic can enforce on an answer; `undefined` if there is none, so that only the
 * prompt can ask for it.
 */
function anthropicOutputSchema(schema: JsonSchema): JsonSchema | undefined {
  const strict = strictSchemaOf(schema, ANTHROPIC_OUTPUT);
  return 'schema' in strict ? strict.schema : undefined;
}
