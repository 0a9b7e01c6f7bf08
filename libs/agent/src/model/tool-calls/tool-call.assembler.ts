import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, ProviderData } from '../../message';
import type { ModelEvent } from '../chat-model';
import { newCallId } from './call-ids';
import { type ReadArguments, readArguments } from './tool-arguments';
import { piecesOf, type FragmentPieces, type ToolCallFragment } from './tool-call.fragment';

/**
 * Follows JSON as it streams in, and detects whether it can be complete: the brackets of one object
 * are closed, and nothing follows them. Parsing the whole text at each piece would take too long.
 */
class JsonProgress {
  private state: 'before' | 'inside' | 'whole' | 'broken' = 'before';
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  get isWhole(): boolean {
    return this.state === 'whole';
  }

  add(text: string): void {
    for (const char of text) {
      if (this.state === 'broken') return;
      if (this.isInString) this.addToString(char);
      else this.addOutside(char);
    }
  }

  private addToString(char: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (char === '\\') this.isEscaped = true;
    else if (char === '"') this.isInString = false;
  }

  private addOutside(char: string): void {
    const isBlank = char.trim() === '';
    if (isBlank) return;
    if (this.state === 'whole' || (this.state === 'before' && char !== '{')) this.state = 'broken';
    else if (char === '"') this.isInString = true;
    else if (char === '{' || char === '[') {
      this.state = 'inside';
      this.depth += 1;
    } else if (char === '}' || char === ']') {
      this.depth -= 1;
      if (this.depth === 0) this.state = 'whole';
    }
  }
}

interface OpenCall {
  readonly index: number | undefined;
  /** The provider's id, which need not be unique. */
  givenId: string | undefined;
  id: string | undefined;
  /** The first call with the same id, under another index. */
  namesake?: OpenCall;
  name: string;
  text: string;
  readonly pieces: string[];
  readonly progress: JsonProgress;
  /** The end of `text` that was not passed on as a delta yet. */
  unsent: string;
  providerData?: ProviderData;
}

export interface AssemblerOptions {
  /** Ids in the history, which an answer must not reuse. */
  readonly usedIds: Iterable<string>;
  /** The names offered in this request, as the provider writes them. */
  readonly offeredNames: ReadonlySet<string>;
  /** Maps the provider's name of a tool to the original name. */
  readonly nameOf: (name: string) => string;
  /** Maps arguments of the provider's schema to the original ones; `name` is the original name. */
  readonly inputOf?: (name: string, input: JsonObject) => JsonObject;
}

/** Maximum length of a tool's name. */
const LONGEST_NAME = 512;
/** Some services put a proof of the model's thoughts into an id. A longer one is replaced. */
const LONGEST_ID = 65_536;

/**
 * Assembles a model's calls from fragments. They may interleave; ids and names may be late,
 * repeated, doubled or missing.
 */
export class ToolCallAssembler {
  private readonly calls: OpenCall[] = [];
  /** The call that was written to last: of all, under an index, with an id. */
  private last: OpenCall | undefined;
  private readonly lastAt = new Map<number, OpenCall>();
  private readonly lastWith = new Map<string, OpenCall>();
  private readonly usedIds: Set<string>;

  constructor(private readonly options: AssemblerOptions) {
    this.usedIds = new Set(options.usedIds);
  }

  get isEmpty(): boolean {
    return this.calls.length === 0;
  }

  /** Takes one fragment; returns the delta that can be passed on now. */
  add(index: number | undefined, fragment: ToolCallFragment): readonly ModelEvent[] {
    const pieces = piecesOf(fragment);
    const { id, name, text } = pieces;
    const isFirst = fragment.isFirst === true;
    const call = (isFirst ? undefined : this.present(index, pieces)) ?? this.begin(index);
    if (call.id === undefined && id !== '') {
      const named = this.lastWith.get(id);
      if (named) call.namesake = named.namesake ?? named;
      call.givenId = id;
      call.id = this.unusedId(id);
    }
    this.last = call;
    if (index !== undefined) this.lastAt.set(index, call);
    if (call.givenId !== undefined) this.lastWith.set(call.givenId, call);
    if (fragment.providerData) call.providerData = fragment.providerData;
    this.addName(call, name);
    call.text += text;
    call.pieces.push(text);
    call.unsent += text;
    call.progress.add(text);
    return call.namesake ? [] : this.pendingDelta(call);
  }

  /** The whole calls, in the order in which they began. `isCut` as in `readArguments`. */
  finish(isCut: boolean): readonly ModelEvent[] {
    const calls = this.calls.splice(0).filter((call) => !isSaidAgain(call));
    return calls.flatMap((call) => {
      call.id ??= this.unusedId(undefined);
      // A call without a name is passed on, and fails as a call of an unknown tool.
      if (call.name === '') call.name = 'unnamed_tool';
      const { nameOf, inputOf = (_, input) => input } = this.options;
      const name = nameOf(call.name);
      const { input, ...malformed } = argumentsOf(call, isCut);
      return [
        ...this.pendingDelta(call),
        {
          type: 'tool_use' as const,
          id: call.id,
          name,
          input: inputOf(name, input),
          ...malformed,
          ...(call.providerData && { providerData: call.providerData }),
        },
      ];
    });
  }

  /** The call that a fragment continues; `undefined` if it begins a new one. */
  private present(index: number | undefined, pieces: FragmentPieces): OpenCall | undefined {
    const { id, name } = pieces;
    const named = this.lastWith.get(id);
    if (named !== undefined && (index === undefined || named.index === index)) return named;
    const current = index === undefined ? this.last : this.lastAt.get(index);
    if (current === undefined || beginsAnother(current, pieces)) return undefined;
    const { offeredNames } = this.options;
    const isOtherTool =
      name !== current.name && offeredNames.has(name) && offeredNames.has(current.name);
    const isOtherId = id !== '' && current.givenId !== undefined;
    if (index !== undefined) return isOtherTool && isOtherId ? undefined : current;
    return isOtherTool || isOtherId ? undefined : current;
  }

  private begin(index: number | undefined): OpenCall {
    const call: OpenCall = {
      index,
      givenId: undefined,
      id: undefined,
      name: '',
      text: '',
      pieces: [],
      progress: new JsonProgress(),
      unsent: '',
    };
    this.calls.push(call);
    return call;
  }

  /** Appends a piece of a name, but nothing to a whole one, and not the same again. */
  private addName(call: OpenCall, piece: string): void {
    if (piece === '' || piece === call.name || call.name.length > LONGEST_NAME) return;
    const name = call.name + piece.slice(0, LONGEST_NAME);
    const { offeredNames } = this.options;
    const isWhole = offeredNames.has(call.name);
    if (isWhole && ![...offeredNames].some((offered) => offered.startsWith(name))) return;
    call.name = name;
  }

  private pendingDelta(call: OpenCall): readonly ModelEvent[] {
    const delta = call.unsent;
    if (call.id === undefined || call.name === '' || delta === '') return [];
    call.unsent = '';
    const { nameOf } = this.options;
    return [{ type: 'tool_use.delta', id: call.id, name: nameOf(call.name), delta }];
  }

  private unusedId(wanted: string | undefined): string {
    const isFit = wanted !== undefined && wanted.length <= LONGEST_ID && !this.usedIds.has(wanted);
    const id = isFit ? wanted : newCallId();
    this.usedIds.add(id);
    return id;
  }
}

/**
 * Some services send one call under several indexes, whole or in part, which must not run twice;
 * others give several calls one id.
 */
function isSaidAgain({ namesake, name, text }: OpenCall): boolean {
  if (namesake === undefined) return false;
  return ['', namesake.name].includes(name) && ['', namesake.text].includes(text);
}

/**
 * Some services repeat all arguments so far in each piece, others send the whole ones before or after
 * their pieces. But `{"a":` and `{"a":1}}` are the pieces of one object in another, so repeats count
 * only where the joined text is no JSON, and was not cut.
 */
function argumentsOf({ text, pieces }: OpenCall, isCut: boolean): ReadArguments {
  const read = readArguments(text, isCut);
  if (read.malformedInput === undefined || isCut) return read;
  const readOnce = readArguments(pieces.reduce((said, piece) => said + newIn(piece, said), ''));
  if (readOnce.malformedInput === undefined) return readOnce;
  const given = pieces.filter((piece) => piece !== '');
  const readAt = (start: number, end?: number) => readArguments(given.slice(start, end).join(''));
  const said = [1, -1].find((at) => isDeepStrictEqual(readAt(0, at), readAt(at)));
  return said === undefined ? read : readAt(0, said);
}

/** The part of a piece that is new. */
function newIn(piece: string, said: string): string {
  return said !== '' && piece.startsWith(said) ? piece.slice(said.length) : piece;
}

/** A name with another id or with more arguments after complete arguments: a second call. */
function beginsAnother(present: OpenCall, { id, name, text }: FragmentPieces): boolean {
  const isNew = text.trim() !== '' || (id !== '' && present.givenId !== undefined);
  return name !== '' && isNew && isWhole(present);
}

function isWhole({ progress, text }: OpenCall): boolean {
  return progress.isWhole && readArguments(text, true).malformedInput === undefined;
}
