/** How often a part repeats where the pattern sets no end, and how many texts are tried. */
const MAX_REPEAT = 1000;
const MAX_TRIES = 64;

/** Characters that read best come first. */
const CANDIDATES = [...'a1A0bxBz-_. @/:,+=#%&!~"\'(){}[]<>?*^$|\\;\t\n'].concat(['é', 'あ', '😀']);

/** A piece of text a node can match, as one of several choices. */
type Node =
  | { readonly kind: 'set'; readonly source: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'back'; readonly group: number }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly branches: readonly Node[] }
  | { readonly kind: 'group'; readonly index: number; readonly inner: Node }
  | { readonly kind: 'repeat'; readonly inner: Node; readonly min: number; readonly max: number };

/**
 * A text that a pattern matches and that is as long as asked, always the same; `undefined` where
 * none of a few tries does (look-arounds are only checked, not solved).
 */
export function textMatching(pattern: string, min = 0, max = Infinity): string | undefined {
  let regex: RegExp;
  let tree: Node;
  try {
    regex = new RegExp(pattern, 'u');
    tree = new PatternReader(pattern).read();
  } catch {
    return undefined;
  }
  const anchored = /^\^/.test(pattern) || /\$$/.test(pattern);
  for (let seed = 0; seed < MAX_TRIES; seed++) {
    const text = write(tree, { seed, grow: Math.floor(seed / 4), groups: new Map() });
    const padded = anchored ? text : text.padEnd(min, 'a');
    const length = [...padded].length;
    if (length >= min && length <= max && regex.test(padded)) return padded;
  }
  return undefined;
}

interface Writing {
  /** Turns choices: the first branch at 0, others later. */
  readonly seed: number;
  /** How many times more than needed an open repetition goes round. */
  readonly grow: number;
  readonly groups: Map<number, string>;
}

function write(node: Node, writing: Writing): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'empty':
      return '';
    case 'set':
      return characterOf(node.source, writing.seed);
    case 'back':
      return writing.groups.get(node.group) ?? '';
    case 'sequence':
      return node.parts.map((part) => write(part, writing)).join('');
    case 'choice':
      return write(
        node.branches[writing.seed % node.branches.length] ?? { kind: 'empty' },
        writing,
      );
    case 'group': {
      const text = write(node.inner, writing);
      writing.groups.set(node.index, text);
      return text;
    }
    case 'repeat': {
      const count = Math.min(node.max, node.min + writing.grow, MAX_REPEAT);
      return Array.from({ length: count }, () => write(node.inner, writing)).join('');
    }
  }
}

function characterOf(source: string, seed: number): string {
  const one = new RegExp(`^${source}$`, 'u');
  const fitting = CANDIDATES.filter((character) => one.test(character));
  const found = fitting[Math.floor(seed / 8) % Math.max(fitting.length, 1)] ?? anyCharacter(one);
  return found ?? '';
}

function anyCharacter(one: RegExp): string | undefined {
  for (let code = 32; code < 0x3000 + 32; code++) {
    // Control characters come last.
    const character = String.fromCodePoint(code % 0x3000);
    if (one.test(character)) return character;
  }
  return undefined;
}

/** Reads a pattern (with the `u` flag) into a tree. */
class PatternReader {
  private at = 0;
  private groups = 0;
  private readonly names = new Map<string, number>();

  constructor(private readonly source: string) {}

  read(): Node {
    const node = this.choice();
    if (this.at < this.source.length) throw new SyntaxError('unbalanced');
    return node;
  }

  private choice(): Node {
    const branches = [this.sequence()];
    while (this.take('|')) branches.push(this.sequence());
    const [only, second] = branches;
    return only && !second ? only : { kind: 'choice', branches };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.source.length && !this.peek('|') && !this.peek(')'))
      parts.push(this.repeated(this.atom()));
    return { kind: 'sequence', parts };
  }

  private repeated(inner: Node): Node {
    const match = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(this.source.slice(this.at));
    if (!match) return inner;
    this.at += match[0].length;
    this.take('?');
    const [sign, least, comma, most] = match;
    if (sign === '*') return { kind: 'repeat', inner, min: 0, max: Infinity };
    if (sign === '+') return { kind: 'repeat', inner, min: 1, max: Infinity };
    if (sign === '?') return { kind: 'repeat', inner, min: 0, max: 1 };
    const min = Number(least);
    return { kind: 'repeat', inner, min, max: comma === '' ? min : most ? Number(most) : Infinity };
  }

  private atom(): Node {
    const char = this.source.charAt(this.at);
    if (char === '(') return this.group();
    if (char === '[') return { kind: 'set', source: this.slice(/^\[(?:\\.|[^\]\\])*\]/) };
    if (char === '^' || char === '$') {
      this.at += 1;
      return { kind: 'empty' };
    }
    if (char === '.') {
      this.at += 1;
      return { kind: 'set', source: '.' };
    }
    if (char === '\\') return this.escape();
    const point = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
    this.at += point.length;
    return { kind: 'text', text: point };
  }

  private group(): Node {
    const opening = this.slice(/^\((?:\?(?:<[=!]|<[^>]+>|[:=!]))?/);
    const name = /^\(\?<([^=!>]+)>$/.exec(opening)?.[1];
    const isCapturing = opening === '(' || name !== undefined;
    const index = isCapturing ? ++this.groups : 0;
    if (name !== undefined) this.names.set(name, index);
    const inner = this.choice();
    if (!this.take(')')) throw new SyntaxError('unclosed group');
    if (isCapturing) return { kind: 'group', index, inner };
    return opening === '(?:' ? inner : { kind: 'empty' };
  }

  private escape(): Node {
    const text = this.slice(
      /^\\(?:u\{[^}]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]+\}|k<[^>]+>|[1-9]\d*|c[a-zA-Z]|.)/u,
    );
    if (/^\\[bB]$/.test(text)) return { kind: 'empty' };
    const reference = /^\\(?:([1-9]\d*)|k<(.+)>)$/.exec(text);
    if (reference)
      return {
        kind: 'back',
        group: reference[1] ? Number(reference[1]) : (this.names.get(reference[2] ?? '') ?? 0),
      };
    return { kind: 'set', source: text };
  }

  private slice(expression: RegExp): string {
    const text = expression.exec(this.source.slice(this.at))?.[0];
    if (text === undefined) throw new SyntaxError('unreadable pattern');
    this.at += text.length;
    return text;
  }

  private peek(char: string): boolean {
    return this.source.charAt(this.at) === char;
  }

  private take(char: string): boolean {
    if (!this.peek(char)) return false;
    this.at += 1;
    return true;
  }
}
