/**
 * Lengths as text: base 64, the lowest five bits first; the sixth bit marks a continuation. A piece of
 * streamed text is rarely longer than 31 characters, so most lengths take one letter.
 */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES: ReadonlyMap<string, number> = new Map(
  Array.from(DIGITS, (digit, value) => [digit, value]),
);
const MORE = 32;

export function encodeLength(length: number): string {
  let text = '';
  for (let rest = length; ; rest = Math.floor(rest / MORE)) {
    const digit = rest % MORE;
    if (rest < MORE) return text + DIGITS.charAt(digit);
    text += DIGITS.charAt(digit + MORE);
  }
}

export function decodeLengths(text: string): readonly number[] {
  const lengths: number[] = [];
  let length = 0;
  let unit = 1;
  for (const letter of text) {
    const value = VALUES.get(letter) ?? 0;
    length += (value % MORE) * unit;
    unit *= MORE;
    if (value >= MORE) continue;
    lengths.push(length);
    length = 0;
    unit = 1;
  }
  return lengths;
}

/** The number of lengths in a text, without decoding them. */
export function countLengths(text: string): number {
  let count = 0;
  // The digits below `MORE` are the letters from A to f.
  for (let index = 0; index < text.length; index += 1)
    if (isLast(text.charCodeAt(index))) count += 1;
  return count;
}

function isLast(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 102);
}
