import type { ResultContent } from '../../message';
import { MAX_RESPONSE_BYTES } from './route-content';

type ResultBlock = Exclude<ResultContent, string>[number];
type MediaBlock = Exclude<ResultBlock, { readonly type: 'text' }>;

/** Pictures and files get as far from a method as from a route. */
const MAX_MEDIA_BYTES = MAX_RESPONSE_BYTES;
/** As many of those left out are named. */
const MOST_NAMED = 5;

/**
 * Cuts a result to a number of characters of text, notice included, and to so many bytes of
 * pictures and files; a last line tells of those that are left out.
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

/** Half a picture is none: each is kept as a whole, as long as there is room for it. */
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

/** What it shows, decoded; an address may be the data itself. */
function bytesOf({ data, url }: MediaBlock): number {
  if (data !== undefined) return Buffer.byteLength(data, 'base64') + (url?.length ?? 0);
  const [, inline] = /^data:[^,]{0,300};base64,(.*)$/s.exec(url ?? '') ?? [];
  return inline === undefined ? Buffer.byteLength(url ?? '') : Buffer.byteLength(inline, 'base64');
}

function limitText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const notice = `\n[Cut: this result has ${text.length} characters. Ask for less, or for a part of it.]`;
  const kept = Math.max(0, maxChars - notice.length);
  return withoutHalfCharacter(text.slice(0, kept)) + notice;
}

/** A cut between the two halves of a character outside the basic plane leaves no valid text. */
function withoutHalfCharacter(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
