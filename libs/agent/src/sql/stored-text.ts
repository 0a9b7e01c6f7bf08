/**
 * PostgreSQL's text cannot contain NUL, and UTF-8 cannot contain lone surrogates. Ids and owners come
 * from outside, so they are escaped as in JSON; ordinary ones remain unchanged.
 */
export function toStoredText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function fromStoredText(stored: string): string {
  return JSON.parse(`"${stored}"`) as string;
}
