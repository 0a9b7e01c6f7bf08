import { isJsonObject, jsonObjectIn, type JsonObject, type JsonValue } from '../../../message';
import type { ModelEvent } from '../../chat-model';
import { notKept } from '../../history';
import { textIn } from '../../stream';
import type { ResponsesItem } from './responses-event';

/** Calls for another client. They are not answered here, so they are not sent back either. */
const UNANSWERED = new Set([
  'custom_tool_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'computer_call',
  'mcp_approval_request',
  // See `noticeOf`.
  'image_generation_call',
]);

/** The items that are not tools of the provider. */
const NO_TOOLS = new Set(['message', 'reasoning', 'function_call', 'compaction']);

const INPUT_FIELDS = ['action', 'arguments', 'input', 'queries', 'operation', 'code'] as const;
const OUTPUT_FIELDS = ['output', 'outputs', 'results', 'tools', 'error', 'revised_prompt'] as const;

export type ProviderToolEvent = Extract<ModelEvent, { type: 'provider_tool' }>;

/** A tool that the provider ran, or a call in a form that is not supported: shown, never run. */
export function hostedTool(item: ResponsesItem, provider: string): ModelEvent {
  return { ...shown(item), ...(isSentBack(item) && { providerData: { [provider]: { item } } }) };
}

/** A tool that the provider has begun to run. The provider takes no call back without its result. */
export function begunTool(item: ResponsesItem): ProviderToolEvent | undefined {
  return NO_TOOLS.has(textIn(item.type)) ? undefined : shown(item);
}

function shown(item: ResponsesItem): ProviderToolEvent {
  const type = textIn(item.type);
  const input = INPUT_FIELDS.map((name) => inputOf(name, item[name])).find(isJsonObject);
  const output = OUTPUT_FIELDS.map((name) => item[name]).find(isGiven);
  return {
    type: 'provider_tool',
    id: textIn(item.id) || textIn(item.call_id),
    name: textIn(item.name) || type.replace(/_call$/, ''),
    ...(input && { input }),
    ...(output !== undefined && { output }),
    ...noticeOf(item),
  };
}

function noticeOf({ type, result, output_format: format }: ResponsesItem) {
  if (type !== 'image_generation_call' || textIn(result) === '') return {};
  return { notice: notKept(`image/${textIn(format) || 'png'}`) };
}

function isSentBack({ type, execution }: ResponsesItem): boolean {
  return !UNANSWERED.has(textIn(type)) && execution !== 'client';
}

function inputOf(name: string, value: JsonValue | undefined): JsonObject | undefined {
  if (typeof value === 'string') return jsonObjectIn(value) ?? { [name]: value };
  if (Array.isArray(value)) return { [name]: value as JsonValue };
  return isJsonObject(value) ? value : undefined;
}

function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
}
