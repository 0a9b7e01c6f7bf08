import type { ResultContent } from '../message';

type ResultBlock = Exclude<ResultContent, string>[number];

/** Cuts a result's text to a number of characters, notice included; pictures and files stay. */
export function limitContent(content: ResultContent, maxChars: number): ResultContent {
  if (typeof content === 'string') return limitText(content, maxChars);
  const total = content.reduce(
    (sum, block) => sum + (block.type === 'text' ? block.text.length : 0),
    0,
  );
  if (total <= maxChars) return content;
  const kept: ResultBlock[] = [];
  let left = maxChars;
  for (const block of content) {
    if (block.type !== 'text') kept.push(block);
    else if (left > 0) kept.push({ ...block, text: limitText(block.text, left) });
    if (block.type === 'text') left -= block.text.length;
  }
  return kept;
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
