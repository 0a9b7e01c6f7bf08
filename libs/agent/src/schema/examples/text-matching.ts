/** Characters in the order in which an example uses them. */
const CHARACTERS = 'a1A0bxBz-_. @/:,+=#%&!~"\'(){}[]<>?*^$|\\;\t\néあ😀';

/** Longer texts are left out. */
const MAX_CHARS = 10_000;

/**
 * A text that a pattern matches, of the length asked for and always the same; `undefined` where none
 * is found. Literals, classes, counts and groups are followed, with the first of several
 * alternatives; look-arounds are only checked, and back references are left out.
 */
export function textMatching(pattern: string, min = 0, max = Infinity): string | undefined {
  try {
    const regex = new RegExp(pattern, 'u');
    const isAnchored = /^\^|\$$/.test(pattern);
    for (const first of 'a1A-') {
      const written = (spare: number): string =>
        new PatternWriter(pattern, first + CHARACTERS, spare).alternatives();
      const shortest = written(0);
      const missing = min - lengthOf(shortest);
      const text = missing > 0 ? written(missing) : shortest;
      const padded = isAnchored ? text : text.padEnd(min, 'a');
      const length = lengthOf(padded);
      if (length >= min && length <= max && regex.test(padded)) return padded;
    }
  } catch {
    // Not readable, or too long.
  }
  return undefined;
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** Reads a pattern (with the `u` flag), writing a text along the way. */
class PatternWriter {
  private at = 0;

  /** @param spare how many characters more than needed open repetitions add */
  constructor(
    private readonly source: string,
    private readonly characters: string,
    private spare: number,
  ) {}

  alternatives(): string {
    const text = this.sequence();
    const { spare } = this;
    while (this.take(/\|/y)) this.sequence();
    this.spare = spare;
    return text;
  }

  private sequence(): string {
    let text = '';
    while (this.at < this.source.length && !'|)'.includes(this.source.charAt(this.at)))
      text += this.repeated(this.atom());
    return text;
  }

  private repeated(text: string): string {
    const quantifier = this.take(/(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y);
    if (!quantifier) return text;
    const [sign, least = sign.startsWith('+') ? '1' : '0', comma, most] = quantifier;
    const min = Number(least);
    const max = sign.startsWith('?') ? 1 : comma === '' ? min : Number(most || Infinity);
    const length = Math.max(lengthOf(text), 1);
    const more = Math.min(max - min, Math.floor(this.spare / length));
    if ((min + more) * length > MAX_CHARS) throw new RangeError('too long');
    this.spare -= more * length;
    return text.repeat(min + more);
  }

  private atom(): string {
    const opening = this.take(/\((?:\?(?:<?[=!]|:|<[^>]+>))?/y);
    if (opening) {
      const text = this.alternatives();
      this.take(/\)/y);
      return /[=!]$/.test(opening[0]) ? '' : text;
    }
    if (this.take(/[$^]|\\[bB]/y)) return '';
    const set = this.take(
      /\.|\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]+\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]+\}|c[a-z]|.)/iuy,
    );
    return set ? this.characterOf(set[0]) : (this.take(/./suy)?.[0] ?? '');
  }

  private characterOf(set: string): string {
    const one = new RegExp(`^${set}$`, 'u');
    const known = [...this.characters].find((character) => one.test(character));
    if (known !== undefined) return known;
    // Control characters come last.
    for (let code = 32; code < 0x3000 + 32; code++) {
      const character = String.fromCodePoint(code % 0x3000);
      if (one.test(character)) return character;
    }
    return '';
  }

  private take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.source);
    if (found) this.at += found[0].length;
    return found;
  }
}
