import { firstChars } from '../../internal';
import type { ResultContent } from '../../message';
import { MAX_RESPONSE_BYTES } from './route-content';

type ResultBlock = Exclude<ResultContent, string>[number];
type MediaBlock = Exclude<ResultBlock, { readonly type: 'text' }>;

/** The same limit for methods and routes. */
const MAX_MEDIA_BYTES = MAX_RESPONSE_BYTES;
/** The number of omitted blocks that are named. */
const MOST_NAMED = 5;

/**
 * Limits a result to a number of characters, including the notice, and to a number of bytes of
 * pictures and files. A last line names the omitted ones.
 */
export function limitContent(content: ResultContent, maxChars: number): ResultContent {
  if (typeof content === 'string') return limitText(content, maxChars);
  return withinBytes(withinChars(content, maxChars));
}

function withinChars(blocks: readonly ResultBlock[], maxChars: number): readonly ResultBlock[] {
  const total = blocks.reduce(
    (sum, block) => sum + (block.type === 'text' ? block.text.length : 0),
    0,
  );
  if (total <= maxChars) return blocks;
  const kept: ResultBlock[] = [];
  let left = maxChars;
  for (const block of blocks) {
    if (block.type !== 'text') kept.push(block);
    else if (left > 0) kept.push({ ...block, text: limitText(block.text, left) });
    if (block.type === 'text') left -= block.text.length;
  }
  return kept;
}

/** Keeps whole pictures and files within the limit. */
function withinBytes(blocks: readonly ResultBlock[]): readonly ResultBlock[] {
  const leftOut: MediaBlock[] = [];
  let left = MAX_MEDIA_BYTES;
  const kept = blocks.filter((block) => {
    if (block.type === 'text') return true;
    const bytes = bytesOf(block);
    if (bytes > left) {
      leftOut.push(block);
      return false;
    }
    left -= bytes;
    return true;
  });
  return leftOut.length === 0 ? blocks : [...kept, { type: 'text', text: noticeOf(leftOut) }];
}

function noticeOf(leftOut: readonly MediaBlock[]): string {
  const named = leftOut.slice(0, MOST_NAMED).map((block) => {
    const name = block.type === 'file' && block.name !== undefined ? ` "${block.name}"` : '';
    return `${block.type}${name} (${bytesOf(block)} bytes)`;
  });
  const rest = leftOut.length - named.length;
  const all = rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
  return `[Left out: ${all}. The pictures and files of a result have ${MAX_MEDIA_BYTES} bytes at most. Ask for fewer, or for smaller ones.]`;
}

/** The decoded size of a block; a URL may contain the data. */
function bytesOf({ data, url }: MediaBlock): number {
  if (data !== undefined) return Buffer.byteLength(data, 'base64') + (url?.length ?? 0);
  const [, inline] = /^data:[^,]{0,300};base64,(.*)$/s.exec(url ?? '') ?? [];
  return inline === undefined ? Buffer.byteLength(url ?? '') : Buffer.byteLength(inline, 'base64');
}

function limitText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const notice = `\n[Cut: this result has ${text.length} characters. Ask for less, or for a part of it.]`;
  const kept = Math.max(0, maxChars - notice.length);
  return firstChars(text, kept) + notice;
}
