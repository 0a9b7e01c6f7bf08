/** Magic bytes by media type. A WebP picture has its length between the two marks. */
const MAGIC = new Map<string, RegExp>([
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['application/pdf', /^%PDF/],
]);

/** Whether contents of a media type are known by their first bytes. */
export function hasMagic(type: string): boolean {
  return MAGIC.has(type);
}

/** The media type of which these bytes are the beginning; `undefined` if it is not known. */
export function magicTypeOf(bytes: Buffer): string | undefined {
  const begin = bytes.toString('latin1', 0, 16);
  return [...MAGIC].find(([, magic]) => magic.test(begin))?.[0];
}
