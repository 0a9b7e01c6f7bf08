import type { JsonValue } from '../../../message';

/** The application's query format. */
export interface QueryStyle {
  /** `a[b]=1` becomes an object and `a[]=1` a list. */
  readonly isNested: boolean;
  /** The application's parser, if it is known. */
  readonly parse?: (query: string) => unknown;
}

/**
 * Encodes one argument as query parameters for the application's parser. A list repeats its key;
 * with brackets, a list of one stays a list. Without brackets, an object is JSON, and so is a list of objects.
 */
export function queryPairsOf(
  key: string,
  value: JsonValue | undefined,
  style: QueryStyle,
): readonly (readonly [key: string, value: string])[] {
  if (value === undefined || value === null) return [];
  if (isList(value) && !hasObjects(value)) {
    const name = style.isNested && value.length === 1 ? `${key}[]` : key;
    return value.map((item) => [name, textOf(item)]);
  }
  if (isList(value) && style.isNested) {
    return value.flatMap((item, position) => queryPairsOf(`${key}[${position}]`, item, style));
  }
  if (typeof value === 'object' && style.isNested) {
    return Object.entries(value).flatMap(([name, item]) =>
      queryPairsOf(`${key}[${name}]`, item, style),
    );
  }
  return [[key, textOf(value)]];
}

/** `?a=1&b=2`, or an empty text. */
export function queryString(pairs: readonly (readonly [string, string])[]): string {
  if (pairs.length === 0) return '';
  return `?${pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&')}`;
}

function encode(text: string): string {
  // A lone surrogate becomes the replacement character, as in browsers.
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
}

/** A value as a parameter or header has it. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether a value, or a member of a list, has members of its own. */
export function hasObjects(value: JsonValue): boolean {
  if (isList(value)) return value.some((item) => typeof item === 'object' && item !== null);
  return typeof value === 'object' && value !== null;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
