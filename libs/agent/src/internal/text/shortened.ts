/** A text; of a longer one the first `maxChars` characters and `…`. */
export function shortened(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
