import type { JsonValue } from '../../../message';

/** How the application reads a query. */
export interface QueryStyle {
  /** `a[b]=1` becomes an object and `a[]=1` a list. */
  readonly isNested: boolean;
}

/**
 * Encodes one argument as query parameters, in the form the application's parser reads back. A list
 * repeats its key; where the parser knows brackets, a list of one keeps being a list.
 */
export function queryPairsOf(
  key: string,
  value: JsonValue | undefined,
  style: QueryStyle,
): readonly (readonly [key: string, value: string])[] {
  if (value === undefined || value === null) return [];
  if (isList(value)) {
    const isSimple = value.every((item) => typeof item !== 'object' || item === null);
    if (style.isNested && !isSimple) {
      return value.flatMap((item, position) => queryPairsOf(`${key}[${position}]`, item, style));
    }
    const name = style.isNested && value.length === 1 ? `${key}[]` : key;
    return value.map((item) => [name, textOf(item)]);
  }
  if (typeof value === 'object' && style.isNested) {
    return Object.entries(value).flatMap(([name, item]) =>
      queryPairsOf(`${key}[${name}]`, item, style),
    );
  }
  return [[key, textOf(value)]];
}

/** `?a=1&b=2`, or nothing of no pairs. */
export function queryString(pairs: readonly (readonly [string, string])[]): string {
  if (pairs.length === 0) return '';
  return `?${pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&')}`;
}

function encode(text: string): string {
  // A lone surrogate cannot be encoded; it becomes the replacement character, as browsers do.
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
