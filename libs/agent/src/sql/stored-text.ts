/**
 * PostgreSQL's text holds no NUL, and lone surrogates do not survive UTF-8. Ids and owners come
 * from outside, so they are kept as JSON would write them; for ordinary ones that changes nothing.
 */
export function toStoredText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function fromStoredText(stored: string): string {
  return JSON.parse(`"${stored}"`) as string;
}
