import { isJsonObject, type JsonObject } from '../../../message';

/**
 * One event of a Responses stream, or a whole response, as services really send it: every field may
 * be missing.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export interface ResponsesEvent {
  readonly type?: unknown;
  /** The item of the output that it belongs to. */
  readonly output_index?: unknown;
  readonly item_id?: unknown;
  readonly item?: ResponsesItem | null;
  readonly delta?: unknown;
  /** The whole text, or the whole arguments of a call, at their end. */
  readonly text?: unknown;
  readonly arguments?: unknown;
  /** The part of a summary that it belongs to. */
  readonly summary_index?: unknown;
  /** The part of a message that it belongs to. */
  readonly content_index?: unknown;
  readonly annotation?: unknown;
  readonly response?: ResponsesAnswer | null;
  readonly error?: unknown;
}

/** A response: whole at its end, and without a stream. */
export interface ResponsesAnswer {
  readonly id?: unknown;
  /** The model that answered. */
  readonly model?: unknown;
  readonly status?: unknown;
  readonly output?: readonly ResponsesItem[] | null;
  readonly usage?: ResponsesUsage | null;
  readonly error?: unknown;
  readonly incomplete_details?: { readonly reason?: unknown } | null;
}

/** An item of the output; each type has fields of its own. */
export type ResponsesItem = JsonObject;

export interface ResponsesUsage {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly total_tokens?: unknown;
  readonly input_tokens_details?: {
    readonly cached_tokens?: unknown;
    readonly cache_write_tokens?: unknown;
  } | null;
  readonly output_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
}

/** The objects of a value that should be a list of them. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Whether a service answers with the response itself, without a stream. */
export function isAnswer(event: ResponsesEvent | ResponsesAnswer): event is ResponsesAnswer {
  return !('type' in event) && 'output' in event;
}

const KNOWN_FIELDS = new Set(['type', 'id', 'call_id', 'name', 'arguments', 'status']);

/** The uncommon fields of a call, such as the namespace of its tool. */
export function extraOf(item: ResponsesItem): JsonObject | undefined {
  const extra = Object.entries(item).filter(
    ([name, value]) => !KNOWN_FIELDS.has(name) && value !== null,
  );
  return extra.length === 0 ? undefined : Object.fromEntries(extra);
}

/**
 * The types with equal numbers of streamed items and items in the final response: these are the same, even if the
 * service changed their numbers and ids.
 */
export function streamedTypes(
  streamed: readonly { readonly type: string }[],
  output: readonly ResponsesItem[],
): ReadonlySet<unknown> {
  const left = new Map<unknown, number>();
  for (const { type } of output) left.set(type, (left.get(type) ?? 0) + 1);
  for (const { type } of streamed) left.set(type, (left.get(type) ?? 0) - 1);
  return new Set([...left.keys()].filter((type) => (left.get(type) ?? 0) <= 0));
}
