import type { FileBlock, ImageBlock, ResultContent, TextBlock } from '../../message';
import { ToolResult } from '../../tool';
import { jsonText } from '../call';

type ResultBlock = TextBlock | ImageBlock | FileBlock;

/** The texts for an empty result. */
const DONE = 'Done';
const EMPTY = '(empty)';

/**
 * The model's form of a result: text, content blocks and `ToolResult` stay as they are, an empty
 * result becomes "Done", every other value JSON.
 *
 * @param isReadOnly whether the tool only reads; its empty result becomes "(empty)"
 */
export function resultContentOf(
  value: unknown,
  isReadOnly = false,
): { readonly content: ResultContent; readonly isError: boolean } {
  if (value === '' && isReadOnly) return { content: EMPTY, isError: false };
  const nothing = isReadOnly ? EMPTY : DONE;
  if (value instanceof ToolResult) {
    return { content: givenContentOf(value.content, nothing), isError: value.isError };
  }
  return { content: plainContentOf(value, nothing), isError: false };
}

/** Whether a value is content for the model, so that no output schema applies. */
export function isReadyContent(value: unknown): boolean {
  return value instanceof ToolResult || blocksOf(value) !== undefined;
}

/** A `ToolResult` may contain other types than declared. */
function givenContentOf(content: unknown, nothing: string): ResultContent {
  return Array.isArray(content) && content.length === 0 ? [] : plainContentOf(content, nothing);
}

function plainContentOf(value: unknown, nothing: string): ResultContent {
  if (typeof value === 'string') return value;
  if (value === undefined) return nothing;
  return blocksOf(value) ?? jsonText(value);
}

/** Copies of a value's content blocks, if it consists of them. */
function blocksOf(value: unknown): readonly ResultBlock[] | undefined {
  if (!Array.isArray(value)) {
    const block = blockOf(value);
    return block && [block];
  }
  const blocks: ResultBlock[] = [];
  for (const item of value) {
    const block = blockOf(item);
    if (block === undefined) return undefined;
    blocks.push(block);
  }
  return blocks.length > 0 ? blocks : undefined;
}

/** The maximum length of a block's short fields; its content has its own limit. */
const MEDIA_FIELDS: Readonly<Record<string, number>> = {
  type: 5,
  name: 1_000,
  mediaType: 255,
  data: Infinity,
  url: Infinity,
};

/** A copy, so that later changes by the tool have no effect. */
function blockOf(value: unknown): ResultBlock | undefined {
  try {
    if (!isBlockLike(value)) return undefined;
    const block = { ...value };
    return isResultBlock(block) ? block : undefined;
  } catch {
    // An unreadable value is no block; its JSON marks the place.
    return undefined;
  }
}

function isBlockLike(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  return value.type === 'text' || value.type === 'image' || value.type === 'file';
}

// Strict, because an application's own objects may have a `type` too.
function isResultBlock(
  block: Readonly<Record<string, unknown>>,
): block is Readonly<Record<string, unknown>> & ResultBlock {
  const keys = Object.keys(block);
  if (block['type'] === 'text') return keys.length === 2 && typeof block['text'] === 'string';
  const isMedia = Object.entries(block).every(
    ([key, field]) =>
      Object.hasOwn(MEDIA_FIELDS, key) &&
      typeof field === 'string' &&
      field.length <= (MEDIA_FIELDS[key] ?? 0),
  );
  return isMedia && ('url' in block || ('data' in block && 'mediaType' in block));
}
