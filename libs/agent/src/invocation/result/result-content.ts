import type { FileBlock, ImageBlock, ResultContent, TextBlock } from '../../message';
import { ToolResult } from '../../tool';
import { jsonText } from '../call';

type ResultBlock = TextBlock | ImageBlock | FileBlock;

/** What the model reads of a tool that has nothing to say: it did something, or found nothing. */
const DONE = 'Done';
const EMPTY = '(empty)';

/**
 * What the model reads of a tool's answer: text stays text, content blocks and `ToolResult` are
 * used as they are, nothing becomes "Done", every other value JSON.
 *
 * @param isReadOnly whether the tool only reads: its nothing becomes "(empty)"
 */
export function resultContentOf(
  value: unknown,
  isReadOnly = false,
): { readonly content: ResultContent; readonly isError: boolean } {
  const nothing = isReadOnly ? EMPTY : DONE;
  if (value instanceof ToolResult) {
    return { content: givenContentOf(value.content, nothing), isError: value.isError };
  }
  return { content: plainContentOf(value, nothing), isError: false };
}

/** Whether a value is meant for the model as it is, so that no output schema speaks of it. */
export function isReadyContent(value: unknown): boolean {
  return value instanceof ToolResult || blocksOf(value) !== undefined;
}

/** An application's compiler may not have seen what it puts into a `ToolResult`. */
function givenContentOf(content: unknown, nothing: string): ResultContent {
  return Array.isArray(content) && content.length === 0 ? [] : plainContentOf(content, nothing);
}

function plainContentOf(value: unknown, nothing: string): ResultContent {
  if (typeof value === 'string') return value;
  if (value === undefined) return nothing;
  return blocksOf(value) ?? jsonText(value);
}

/** Copies of the blocks that a value is, or is a list of. */
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

/** The characters that a block's fields may have; what it shows has a bound of its own. */
const MEDIA_FIELDS: Readonly<Record<string, number>> = {
  type: 5,
  name: 1_000,
  mediaType: 255,
  data: Infinity,
  url: Infinity,
};

/** A copy: what was checked is what is kept, whatever the tool makes of its own later on. */
function blockOf(value: unknown): ResultBlock | undefined {
  try {
    if (!isBlockLike(value)) return undefined;
    const block = { ...value };
    return isResultBlock(block) ? block : undefined;
  } catch {
    // What cannot be read is no block; its JSON marks the place.
    return undefined;
  }
}

function isBlockLike(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  return value.type === 'text' || value.type === 'image' || value.type === 'file';
}

// Strict, since an application's own objects have a `type` too.
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
