/** In all that must not be stored anywhere: headers, cookies, tokens, claims, keys, preset values. */
export const CANARY = 'planted';

/** The lines that have a word: as it is, in hexadecimal digits, or within a text in Base64. */
export function linesWith(word: string, lines: readonly string[]): readonly string[] {
  const bytes = Buffer.from(word);
  const forms = [word, bytes.toString('hex'), ...[0, 1, 2].map((place) => inBase64(bytes, place))];
  return lines.filter((line) => forms.some((form) => line.includes(form)));
}

/** The characters that depend on the word alone, behind so many other bytes; the same in Base64url. */
function inBase64(bytes: Buffer, place: number): string {
  const text = Buffer.concat([Buffer.alloc(place), bytes]).toString('base64');
  const bits = (count: number): number => (count * 8) / 6;
  return text.slice(Math.ceil(bits(place)), Math.floor(bits(place + bytes.length)));
}
