/** A piece of an answer: thoughts or text. */
export interface ThoughtOrText {
  readonly type: 'text.delta' | 'reasoning.delta';
  readonly delta: string;
}

/**
 * Google's endpoint writes `thought`, Bedrock's `reasoning`, Amazon's models `thinking`, MiniMax's
 * `mm:think`.
 */
const NAMES = ['think', 'thought', 'reasoning', 'thinking', 'mm:think'] as const;
const TAGS: readonly (readonly [open: string, close: string])[] = [
  ...NAMES.map((name) => [`<${name}>`, `</${name}>`] as const),
  // Those of Gemma 4 and gpt-oss, where a server does not read its model's template.
  ['<|channel>thought', '<channel|>'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
];
/** The head of gpt-oss's answer behind its thoughts, which llama.cpp omits, and of a further thought. */
const HEAD = /^<\|start\|>assistant<\|channel\|>final(?: ?<\|constrain\|>\w+)?<\|message\|>/;
const FURTHER_THOUGHT = '<|start|>assistant<|channel|>analysis<|message|>';
const HEAD_BEGINS = '<|start|>';
const LONGEST_HEAD = 100;
/** An answer that begins with more blanks than this has no tags. */
const LONGEST_START = 1_024;

/**
 * Separates reasoning that a model writes between tags, such as `<think>` and `</think>`, at the
 * start of its answer from text. Some servers take out the reasoning and leave the second tag. Tags
 * may be split across deltas. Later in the answer they are ordinary text.
 */
export class ThinkTagSplitter {
  private state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  private held = '';
  /** The tag that ends the thought. */
  private close = '';

  add(delta: string): readonly ThoughtOrText[] {
    if (this.state === 'text') return [{ type: 'text.delta', delta }];
    this.held += delta;
    const pieces: ThoughtOrText[] = [];
    while (this.step(pieces));
    return pieces;
  }

  /** Text held back in case a tag follows. */
  finish(): readonly ThoughtOrText[] {
    const delta = this.held;
    this.held = '';
    if (delta === '') return [];
    return [{ type: this.state === 'thinking' ? 'reasoning.delta' : 'text.delta', delta }];
  }

  /** Consumes as much as can be classified; returns whether there is more to read. */
  private step(pieces: ThoughtOrText[]): boolean {
    switch (this.state) {
      case 'start': {
        const rest = this.held.trimStart();
        const opened = TAGS.find(([open]) => rest.startsWith(open));
        if (opened !== undefined) {
          this.held = rest.slice(opened[0].length);
          this.close = opened[1];
          this.state = 'thinking';
          return true;
        }
        const closed = TAGS.find(([, close]) => rest.startsWith(close));
        if (closed !== undefined) {
          this.held = rest.slice(closed[1].length);
          this.state = 'after';
          return true;
        }
        const isBegun = TAGS.flat().some((tag) => tag.startsWith(rest));
        const mayOpen = isBegun && this.held.length <= LONGEST_START;
        return mayOpen ? false : this.release(pieces);
      }
      case 'thinking': {
        const { held, close } = this;
        const end = held.indexOf(close);
        const safe = end === -1 ? held.length - partialSuffix(held, close) : end;
        if (safe > 0) pieces.push({ type: 'reasoning.delta', delta: held.slice(0, safe) });
        this.held = held.slice(end === -1 ? safe : end + close.length);
        if (end !== -1) this.state = 'after';
        return end !== -1;
      }
      case 'after': {
        // The blank lines between the thought and the answer belong to neither.
        const rest = this.held.trimStart();
        if (rest.startsWith(FURTHER_THOUGHT)) {
          this.held = rest.slice(FURTHER_THOUGHT.length);
          pieces.push({ type: 'reasoning.delta', delta: '\n\n' });
          this.close = '<|end|>';
          this.state = 'thinking';
          return true;
        }
        this.held = rest.replace(HEAD, '').trimStart();
        const isBegun = HEAD_BEGINS.startsWith(rest.slice(0, HEAD_BEGINS.length));
        const mayBeHead = isBegun && this.held === rest && rest.length < LONGEST_HEAD;
        return this.held === '' || mayBeHead ? false : this.release(pieces);
      }
      case 'text':
        return false;
    }
  }

  private release(pieces: ThoughtOrText[]): false {
    this.state = 'text';
    pieces.push({ type: 'text.delta', delta: this.held });
    this.held = '';
    return false;
  }
}

/** How many characters at the end of `text` may be the beginning of `tag`. */
function partialSuffix(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
