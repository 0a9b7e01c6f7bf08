/** A tag, or the text between two of them. */
export interface MarkupToken {
  readonly type: 'open' | 'close' | 'text';
  /** The tag's name, or the text. */
  readonly value: string;
  readonly attributes?: readonly (readonly [name: string, value: string])[];
  readonly isEmpty?: boolean;
}

// A name is taken whole or not at all, and no tag reaches into the next: one pass for any input.
const TOKEN =
  /<!--[^]*?(?:-->|$)|<!\[CDATA\[([^]*?)(?:\]\]>|$)|<[!?][^>]*>?|<\/([\w:.-]+)[^<>]*>|<([\w:.-]+)(?![\w:.-])((?:"[^"]*"|'[^']*'|[^'"<>])*)>|([^<]+|<)/g;
const ATTRIBUTE = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** The tags and texts of XML, in order: input that fits no rule is text. */
export function* readMarkup(markup: string): Generator<MarkupToken, void, undefined> {
  for (const [, verbatim, closed, opened, rest = '', text] of markup.matchAll(TOKEN)) {
    if (opened !== undefined) {
      const attributes = [...rest.matchAll(ATTRIBUTE)].map(
        ([, name = '', double, single]) => [name, decoded(double ?? single ?? '')] as const,
      );
      yield { type: 'open', value: opened, attributes, isEmpty: rest.trimEnd().endsWith('/') };
    } else if (closed !== undefined) yield { type: 'close', value: closed };
    else if (verbatim !== undefined) yield { type: 'text', value: verbatim };
    else if (text !== undefined) yield { type: 'text', value: decoded(text) };
  }
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(String(name)) ?? String(all);
    const code = decimal === undefined ? parseInt(String(hex), 16) : Number(decimal);
    return code > 0x10ffff ? '' : String.fromCodePoint(code);
  });
}
