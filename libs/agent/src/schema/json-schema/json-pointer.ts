/** One more step of a JSON pointer (RFC 6901). */
export function pointer(path: string, key: PropertyKey): string {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
