import type { JsonValue } from '../../message';
import { changedTexts } from './message-parts';

/** Minimum length of a cut text; a shorter one would be meaningless. */
const SHORTEST = 16;

/** A value as JSON of at most `maxChars` characters: its texts are cut if it is longer. */
export function shortenedJson(value: unknown, maxChars: number): string {
  const whole = JSON.stringify(value);
  if (whole.length <= maxChars) return whole;
  const plain = JSON.parse(whole) as JsonValue;
  for (let length = maxChars; length >= SHORTEST; length = Math.floor(length / 2)) {
    const shorter = JSON.stringify(changedTexts(plain, (text) => cut(text, length)));
    if (shorter.length <= maxChars) return shorter;
  }
  return JSON.stringify(cut(whole, Math.floor(maxChars / 2) - 2)).slice(0, maxChars);
}

/**
 * A list as JSON of at most `maxChars` characters: the last items that fit, at least a part of one.
 */
export function lastItemsJson(items: readonly unknown[], maxChars: number): string {
  const kept: string[] = [];
  let left = maxChars - '[]'.length;
  for (const item of items.toReversed()) {
    const json = JSON.stringify(item);
    if (json.length + ','.length > left) {
      if (kept.length === 0) kept.push(shortenedJson(item, left));
      break;
    }
    left -= json.length + ','.length;
    kept.unshift(json);
  }
  return `[${kept.join(',')}]`;
}

export function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, Math.max(0, maxChars - 1))}…`;
}
