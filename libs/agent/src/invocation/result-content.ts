import type { FileBlock, ImageBlock, ResultContent, TextBlock } from '../message';
import { ToolResult } from '../tool';
import { jsonText } from './json-text';

type ResultBlock = TextBlock | ImageBlock | FileBlock;

/** What the model reads of a tool that has nothing to say. */
export const NOTHING_TO_SAY = 'Done';

/**
 * What the model reads of a tool's answer: text stays text, content blocks and `ToolResult` are
 * used as they are, nothing becomes "Done", every other value JSON.
 */
export function resultContentOf(value: unknown): {
  readonly content: ResultContent;
  readonly isError: boolean;
} {
  if (value instanceof ToolResult) return { content: value.content, isError: value.isError };
  return { content: plainContentOf(value), isError: false };
}

function plainContentOf(value: unknown): ResultContent {
  if (typeof value === 'string') return value;
  if (value === undefined) return NOTHING_TO_SAY;
  if (isResultBlock(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.every(isResultBlock)) return value;
  return jsonText(value);
}

/** Whether a value is meant for the model as it is, so that no output schema speaks of it. */
export function isReadyContent(value: unknown): boolean {
  return (
    value instanceof ToolResult ||
    isResultBlock(value) ||
    (Array.isArray(value) && value.length > 0 && value.every(isResultBlock))
  );
}

const MEDIA_KEYS = new Set(['type', 'name', 'mediaType', 'data', 'url']);

// Strict, since an application's own objects have a `type` too.
function isResultBlock(value: unknown): value is ResultBlock {
  if (typeof value !== 'object' || value === null) return false;
  const block = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(block);
  if (block['type'] === 'text') return keys.length === 2 && typeof block['text'] === 'string';
  if (block['type'] !== 'image' && block['type'] !== 'file') return false;
  const isMedia = keys.every((key) => MEDIA_KEYS.has(key) && typeof block[key] === 'string');
  return isMedia && ('url' in block || ('data' in block && 'mediaType' in block));
}
