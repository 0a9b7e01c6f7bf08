/** Part of every value that must not be stored: headers, cookies, tokens, claims, keys, preset values. */
export const CANARY = 'planted';

/** The lines that contain a word: in plain text, in hexadecimal digits, or within Base64. */
export function linesWith(word: string, lines: readonly string[]): readonly string[] {
  const bytes = Buffer.from(word);
  const forms = [word, bytes.toString('hex'), ...[0, 1, 2].map((place) => inBase64(bytes, place))];
  return lines.filter((line) => forms.some((form) => line.includes(form)));
}

/** The Base64 characters that depend on the word alone, after this number of other bytes; the same in Base64url. */
function inBase64(bytes: Buffer, place: number): string {
  const text = Buffer.concat([Buffer.alloc(place), bytes]).toString('base64');
  const bits = (count: number): number => (count * 8) / 6;
  return text.slice(Math.ceil(bits(place)), Math.floor(bits(place + bytes.length)));
}
