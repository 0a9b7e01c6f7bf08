import { callsIn, type TextCall } from './react.call';
import { endOfJson, tagAt } from './react.markup';

/** What the text of a model turns out to be. */
export type ReactPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  | { readonly type: 'call'; readonly call: TextCall }
  /** Something that was meant as a call and cannot be read as one. */
  | { readonly type: 'malformed'; readonly text: string };

type State = 'text' | 'thought' | 'call' | 'code' | 'over';

/**
 * Reads the text protocol as it streams in, however it is cut. Whatever might still become markup
 * is held back, so that none of it ever passes as text: tags (closed or not), fenced blocks and
 * bare JSON that call a tool.
 */
export class ReactParser {
  private state: State = 'text';
  private held = '';
  private isLineStart = true;
  private hasCalled = false;

  /** @param offered names of the tools; bare JSON is a call only where it names one of them */
  constructor(private readonly offered: ReadonlySet<string>) {}

  add(delta: string): readonly ReactPiece[] {
    this.held += delta;
    return this.drain(false);
  }

  /** The end of the answer. `isCut` where the model was stopped in the middle of it. */
  finish(isCut = false): readonly ReactPiece[] {
    const pieces = this.drain(true);
    return isCut ? pieces.filter(({ type }) => type !== 'malformed') : pieces;
  }

  private drain(isEnd: boolean): readonly ReactPiece[] {
    const pieces: ReactPiece[] = [];
    while (this.held !== '' && this.step(pieces, isEnd));
    return merged(pieces);
  }

  /** Consumes what can be judged; answers whether it got any further. */
  private step(pieces: ReactPiece[], isEnd: boolean): boolean {
    switch (this.state) {
      case 'over':
        this.held = '';
        return false;
      case 'call':
        return this.readCall(pieces, isEnd);
      case 'code':
        return this.readCode(pieces, isEnd);
      case 'text':
      case 'thought':
        return this.readText(pieces, isEnd);
    }
  }

  private readText(pieces: ReactPiece[], isEnd: boolean): boolean {
    const special = /[<`{[]/.exec(this.held);
    const plain = special === null ? this.held.length : special.index;
    if (plain > 0) {
      this.emit(pieces, plain);
      return true;
    }
    const { held } = this;
    if (held.startsWith('<')) {
      const tag = tagAt(held);
      if (tag === 'maybe' && !isEnd) return false;
      if (typeof tag === 'object') {
        this.held = held.slice(tag.length);
        if (tag.kind === 'observation') this.state = 'over';
        else if (tag.isClosing || tag.kind === 'answer') this.state = 'text';
        else this.state = tag.kind === 'think' ? 'thought' : 'call';
        return true;
      }
      // At the end, the beginning of a tag is markup too.
      if (tag === 'maybe' && held.length > 1) this.held = '';
      else this.emit(pieces, 1);
      return true;
    }
    if (this.state === 'text' && this.isLineStart) {
      if (held.startsWith('`')) return this.readFence(pieces, isEnd);
      return this.readJson(pieces, isEnd);
    }
    this.emit(pieces, 1);
    return true;
  }

  private readFence(pieces: ReactPiece[], isEnd: boolean): boolean {
    if (!isEnd && '```'.startsWith(this.held.slice(0, 3)) && this.held.length < 3) return false;
    if (!this.held.startsWith('```')) {
      this.emit(pieces, 1);
      return true;
    }
    const head = /^```([\w-]*)[^\S\n]*(?:\n\s*)?/.exec(this.held);
    const rest = this.held.slice(head?.[0].length ?? 3);
    if (rest === '' && !isEnd) return false;
    const mayCall = /^(?:json|tool_call|tool_code|)$/i.test(head?.[1] ?? '') && /^[{[]/.test(rest);
    if (!mayCall) {
      this.emit(pieces, 3);
      this.state = 'code';
      return true;
    }
    const end = rest.indexOf('```', endOfJson(rest) ?? rest.length);
    if (end === -1 && !isEnd) return false;
    const body = end === -1 ? rest : rest.slice(0, end);
    const length = end === -1 ? this.held.length : this.held.length - rest.length + end + 3;
    this.settle(pieces, body, length);
    return true;
  }

  private readJson(pieces: ReactPiece[], isEnd: boolean): boolean {
    const end = endOfJson(this.held);
    if (end === undefined && !isEnd) {
      // What cannot be a call any more need not wait for its end.
      if (this.held.length < 200 || /"(?:name|tool|function|action|tool_name)"/.test(this.held)) {
        return false;
      }
      this.emit(pieces, 1);
      return true;
    }
    this.settle(pieces, this.held.slice(0, end), end ?? this.held.length);
    return true;
  }

  /** JSON without a tag is a call where it names a tool that is offered; else it is text. */
  private settle(pieces: ReactPiece[], body: string, length: number): void {
    const calls = callsIn(body);
    if (calls?.every(({ name }) => this.offered.has(name)) === true) {
      this.held = this.held.slice(length);
      this.push(pieces, calls);
    } else if (calls === undefined && this.looksLikeCall(body)) {
      this.held = this.held.slice(length);
      pieces.push({ type: 'malformed', text: body });
    } else this.emit(pieces, length);
  }

  private looksLikeCall(body: string): boolean {
    const name = /["'](?:name|tool|tool_name|function|action)["']\s*:\s*["'](\w+)["']/.exec(
      body,
    )?.[1];
    return name !== undefined && this.offered.has(name);
  }

  private readCall(pieces: ReactPiece[], isEnd: boolean): boolean {
    this.held = this.held.replace(/^\s+/, '');
    if (this.held === '') return false;
    const isJson = /^[{[]/.test(this.held);
    const end = isJson ? endOfJson(this.held) : undefined;
    const complete = end === undefined ? undefined : callsIn(this.held.slice(0, end));
    if (end !== undefined && complete !== undefined) {
      this.held = this.held.slice(end);
      this.state = 'text';
      this.push(pieces, complete);
      return true;
    }
    const close = /<\/\s*(?:tool_?call|function_call|action)\s*>/i.exec(this.held);
    // A closing tag inside a string is part of it, so long as the string may still end.
    if (!isEnd && (close === null || (isJson && end === undefined))) return false;
    const body = close === null ? this.held : this.held.slice(0, close.index);
    this.held = close === null ? '' : this.held.slice(close.index + close[0].length);
    this.state = 'text';
    const calls = callsIn(body);
    if (calls === undefined) pieces.push({ type: 'malformed', text: body.trim() });
    else this.push(pieces, calls);
    return true;
  }

  /** A block of code that calls nothing passes whole, whatever stands in it. */
  private readCode(pieces: ReactPiece[], isEnd: boolean): boolean {
    const end = this.held.indexOf('```');
    if (end === -1) {
      const safe = isEnd ? this.held.length : this.held.length - trailingTicks(this.held);
      if (safe > 0) this.emit(pieces, safe);
      return false;
    }
    this.emit(pieces, end + 3);
    this.state = 'text';
    return true;
  }

  private push(pieces: ReactPiece[], calls: readonly TextCall[]): void {
    this.hasCalled = true;
    for (const call of calls) pieces.push({ type: 'call', call });
  }

  private emit(pieces: ReactPiece[], length: number): void {
    const text = this.held.slice(0, length);
    this.held = this.held.slice(length);
    if (/\S/.test(text)) this.isLineStart = /\n\s*$/.test(text);
    else if (text.includes('\n')) this.isLineStart = true;
    // What a model says after a call it made up itself: it has not seen the result yet.
    if (this.hasCalled && this.state !== 'thought') return;
    pieces.push({ type: this.state === 'thought' ? 'thought' : 'text', text });
  }
}

function trailingTicks(text: string): number {
  return /`{0,2}$/.exec(text)?.[0].length ?? 0;
}

function merged(pieces: readonly ReactPiece[]): readonly ReactPiece[] {
  const result: ReactPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (last?.type === 'text' && piece.type === 'text') {
      result[result.length - 1] = { type: 'text', text: last.text + piece.text };
    } else result.push(piece);
  }
  return result;
}
