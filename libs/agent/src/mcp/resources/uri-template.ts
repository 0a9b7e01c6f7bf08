import { withFallback } from '../../internal';
import { ToolDeclarationError } from '../../tool';

/** The most characters of a URI that is looked up. */
export const MAX_URI_CHARS = 8_192;

const URI = /^[a-z][a-z\d+.-]*:[^\s\p{Cc}]+$/iu;
const VARIABLE = /^[\w.-]{1,64}$/;
/** Delimiters of a URI's segments, query and fragment; a value contains them only encoded. */
const BORDER = /[/?#]/;
/** A value with one of these could lead elsewhere if a method builds a path from it. */
const UNSAFE = /[/\\\p{Cc}\p{Cs}]|^\.{1,2}$/u;

/**
 * A URI with variables in braces: `orders://{id}/lines/{line}`. A variable stands for one or more
 * characters other than `/`, `?` and `#`.
 */
export class UriTemplate {
  /** The literal texts around the variables: one more than there are variables. */
  private constructor(
    readonly source: string,
    readonly variables: readonly string[],
    private readonly texts: readonly [string, ...string[]],
  ) {}

  /** @throws ToolDeclarationError if the text is no URI or template */
  static parse(source: unknown): UriTemplate {
    if (typeof source !== 'string' || !URI.test(source) || source.length > MAX_URI_CHARS) {
      throw new ToolDeclarationError(
        `uri ${JSON.stringify(source) ?? 'undefined'} is no absolute URI. Begin it with a scheme, as in "orders://list" or "orders://{id}".`,
      );
    }
    const [first = '', ...rest] = source.split('{');
    const variables: string[] = [];
    const texts: [string, ...string[]] = [first];
    for (const part of rest) {
      const end = part.indexOf('}');
      const name = part.slice(0, Math.max(end, 0));
      if (!VARIABLE.test(name)) {
        throw wrong(
          source,
          'has a variable that is none. Write variables as {name}, without operators',
        );
      }
      if (variables.includes(name))
        throw wrong(source, `has the variable "${name}" twice. Rename one`);
      variables.push(name);
      texts.push(part.slice(end + 1));
    }
    if (texts.some((text) => text.includes('}'))) throw wrong(source, 'has a "}" without its "{"');
    if (texts.slice(1, -1).includes('')) {
      throw wrong(source, 'has two variables side by side. Put a text between them, such as "/"');
    }
    return new UriTemplate(source, variables, texts);
  }

  /** The template without the names of its variables: two with the same shape match the same URIs. */
  get shape(): string {
    return this.texts.join('{}');
  }

  /** The number of literal characters: of two templates that match, the one with more is meant. */
  get literalLength(): number {
    return this.texts.reduce((sum, text) => sum + text.length, 0);
  }

  /**
   * The values of the variables, decoded; `undefined` if the URI does not match, or has a value
   * that cannot be decoded or is unsafe. Linear in the length of the URI.
   */
  match(uri: string): Readonly<Record<string, string>> | undefined {
    const raw = this.rawValues(uri);
    if (raw === undefined) return undefined;
    const values: [string, string][] = [];
    for (const [index, variable] of this.variables.entries()) {
      const value = decoded(raw[index] ?? '');
      if (value === undefined) return undefined;
      values.push([variable, value]);
    }
    return Object.fromEntries(values);
  }

  /** Each text at its first place after the one before it; no other choice matches more URIs. */
  private rawValues(uri: string): readonly string[] | undefined {
    const [first, ...others] = this.texts;
    const last = others.pop();
    if (last === undefined) return uri === first ? [] : undefined;
    if (!uri.startsWith(first) || !uri.endsWith(last)) return undefined;
    const end = uri.length - last.length;
    const values: string[] = [];
    let start = first.length;
    for (const text of others) {
      const at = uri.indexOf(text, start + 1);
      if (at < 0 || at + text.length > end) return undefined;
      values.push(uri.slice(start, at));
      start = at + text.length;
    }
    if (start >= end) return undefined;
    values.push(uri.slice(start, end));
    return values;
  }
}

function decoded(raw: string): string | undefined {
  if (BORDER.test(raw)) return undefined;
  const value = withFallback(() => decodeURIComponent(raw), undefined);
  return value === undefined || UNSAFE.test(value) ? undefined : value;
}

function wrong(source: string, problem: string): ToolDeclarationError {
  return new ToolDeclarationError(`uri "${source}" ${problem}.`);
}
