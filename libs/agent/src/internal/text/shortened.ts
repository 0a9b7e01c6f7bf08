/** A text; of a longer one the first `maxChars` characters and `…`. */
export function shortened(text: string, maxChars: number): string {
  return text.length > maxChars ? `${firstChars(text, maxChars)}…` : text;
}

/** The beginning of a text, not cut within a surrogate pair: half of one is no character. */
export function firstChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '');
}
