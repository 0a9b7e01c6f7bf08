import { answerIn, callsIn, type Offered, type TextCall } from './react.call';
import { lineTagAt, type End } from './react.lines';
import { endOfJson, tagAt } from './react.markup';

/** A part of a model's text. */
export type ReactPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  | { readonly type: 'call'; readonly call: TextCall }
  /** A malformed call. */
  | { readonly type: 'malformed'; readonly text: string };

/** `planning` is the thought of the classic form, which ends with a line of that form. */
type State = 'text' | 'thought' | 'planning' | 'call' | 'code' | 'over';

/** Number of characters from which a call counts as long. */
const LONG = 1_024;
/** Number of brackets without a call after which further brackets are no longer checked. */
const MOST_UNREAD = 100;
/** A key that a call has, and one of which may stand before the others. */
const MAY_CALL =
  /"(?:name|tool|function|action|tool_name|arguments|args|input|parameters|action_input)"/;

/**
 * Reads the text protocol as it streams in, however it is cut. Whatever might still become markup
 * is held back, so that none of it ever passes as text: tags (closed or not), lines of the classic
 * form, fenced blocks and bare JSON that call a tool.
 */
export class ReactParser {
  private state: State = 'text';
  private held = '';
  /** The length of the held text at which it is read again. */
  private awaited = 0;
  /** How many brackets at the start of a line opened no call. */
  private unread = 0;
  private isLineStart = true;
  private hasCalled = false;
  private hasText = false;

  /** @param offered the tools; bare JSON is a call only if it names one of them */
  constructor(private readonly offered: Offered) {}

  add(delta: string): readonly ReactPiece[] {
    this.held += delta;
    if (this.held.length < this.awaited) return [];
    const pieces = this.drain('open');
    // A long call is read again only after it has grown by a fraction: at each delta would be too
    // slow.
    const { length } = this.held;
    this.awaited = length < LONG ? 0 : length * 1.25;
    return pieces;
  }

  /** Ends the answer. `isCut` if the model was cut off. */
  finish(isCut = false): readonly ReactPiece[] {
    const pieces = this.drain(isCut ? 'cut' : 'whole');
    return isCut ? pieces.filter(({ type }) => type !== 'malformed') : pieces;
  }

  private drain(end: End): readonly ReactPiece[] {
    const pieces: ReactPiece[] = [];
    while (this.held !== '' && this.step(pieces, end));
    return merged(pieces);
  }

  /** Consumes as much as can be classified; returns whether it made progress. */
  private step(pieces: ReactPiece[], end: End): boolean {
    const isEnd = end !== 'open';
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
      case 'planning':
        return this.readLine(pieces, end) ?? this.readText(pieces, isEnd);
    }
  }

  /** Reads a line of the classic form; `undefined` if there is none. */
  private readLine(pieces: ReactPiece[], end: End): boolean | undefined {
    if (!this.isLineStart || this.state === 'thought') return undefined;
    const tag = lineTagAt(this.held, this.offered, end);
    if (tag === 'maybe') return false;
    if (tag === 'none') return undefined;
    const isForm = this.state === 'planning' || !this.hasText;
    if ((tag.kind === 'think' || tag.kind === 'answer') && !isForm) return undefined;
    if (tag.kind === 'observation' && !this.hasCalled) return undefined;
    this.held = this.held.slice(tag.length);
    this.isLineStart = tag.kind === 'call';
    switch (tag.kind) {
      case 'think':
        this.state = 'planning';
        break;
      case 'answer':
        this.state = 'text';
        break;
      case 'observation':
        this.state = 'over';
        break;
      case 'malformed':
        // The model continues from a result that it made up.
        this.state = 'over';
        pieces.push({ type: 'malformed', text: tag.text });
        break;
      case 'said':
        this.state = 'text';
        this.say(pieces, tag.text);
        break;
      case 'call':
        this.state = 'text';
        this.push(pieces, tag.calls);
        break;
    }
    return true;
  }

  private readText(pieces: ReactPiece[], isEnd: boolean): boolean {
    // The next line is read separately.
    const plain = /^[^<`{[\n]*\n?/.exec(this.held)?.[0].length ?? 0;
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
    if (this.state !== 'thought' && this.isLineStart) {
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
    const isSought = this.unread < MOST_UNREAD;
    const end = isSought ? endOfJson(this.held) : undefined;
    if (end === undefined && !isEnd) {
      // Text that can no longer be a call need not wait for its end.
      if (isSought && (this.held.length < 200 || MAY_CALL.test(this.held))) return false;
      this.unread += 1;
      this.emit(pieces, 1);
      return true;
    }
    this.settle(pieces, this.held.slice(0, end), end ?? this.held.length);
    return true;
  }

  /** JSON without a tag is a call if it names an offered tool; else it is text. */
  private settle(pieces: ReactPiece[], body: string, length: number): void {
    const calls = callsIn(body);
    const answer = calls && answerIn(calls, this.offered);
    if (answer !== undefined && /["']action["']/.test(body)) {
      this.held = this.held.slice(length);
      this.say(pieces, answer);
    } else if (calls?.every(({ name }) => this.offered.has(name)) === true) {
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

  /** A block of code without a call passes whole. */
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

  /** Passes on an answer in the form of a call. */
  private say(pieces: ReactPiece[], text: string): void {
    if (this.hasCalled || text === '') return;
    this.hasText = true;
    pieces.push({ type: 'text', text });
  }

  private push(pieces: ReactPiece[], calls: readonly TextCall[]): void {
    this.hasCalled = true;
    for (const call of calls) pieces.push({ type: 'call', call });
  }

  private emit(pieces: ReactPiece[], length: number): void {
    const text = this.held.slice(0, length);
    this.held = this.held.slice(length);
    const line = text.slice(text.lastIndexOf('\n') + 1);
    if (/\S/.test(line)) this.isLineStart = false;
    else if (line.length < text.length) this.isLineStart = true;
    const isThought = this.state === 'thought' || this.state === 'planning';
    // Text after a call that the model made up: it has not seen the result yet.
    if (this.hasCalled && !isThought) return;
    if (!isThought && /\S/.test(text)) this.hasText = true;
    pieces.push({ type: isThought ? 'thought' : 'text', text });
  }
}

function trailingTicks(text: string): number {
  return /`{0,2}$/.exec(text)?.[0].length ?? 0;
}

function merged(pieces: readonly ReactPiece[]): readonly ReactPiece[] {
  const result: ReactPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    const isMore = last?.type === piece.type && (piece.type === 'text' || piece.type === 'thought');
    if (isMore && 'text' in last)
      result[result.length - 1] = { ...last, text: last.text + piece.text };
    else result.push(piece);
  }
  return result;
}
