import { randomUUID } from 'node:crypto';
import type { ModelEvent } from '../chat-model';
import { readArguments } from './tool-arguments';

/** One provider's fragment of a call; everything but its place may come late or never. */
export interface ToolCallFragment {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
}

interface OpenCall {
  /** The provider's id, which need not be unique. */
  givenId: string | undefined;
  id: string | undefined;
  name: string;
  text: string;
  /** How much of `text` was passed on as deltas. */
  sent: number;
}

export interface AssemblerOptions {
  /** Ids of the history, which an answer must not use again. */
  readonly usedIds: Iterable<string>;
  /** The names offered in this request, as the provider writes them. */
  readonly offeredNames: ReadonlySet<string>;
  /** From the provider's name of a tool to ours. */
  readonly nameOf: (name: string) => string;
}

/**
 * Puts a model's calls together from fragments. They may interleave; ids and names may be late,
 * repeated, doubled or missing.
 */
export class ToolCallAssembler {
  private readonly calls = new Map<string | number, OpenCall>();
  private readonly usedIds: Set<string>;
  private last: string | number | undefined;

  constructor(private readonly options: AssemblerOptions) {
    this.usedIds = new Set(options.usedIds);
  }

  get isEmpty(): boolean {
    return this.calls.size === 0;
  }

  /** Takes one fragment; answers with the delta that can be passed on now. */
  add(index: number | undefined, fragment: ToolCallFragment): readonly ModelEvent[] {
    const call = this.callFor(index, fragment);
    if (call.id === undefined && isGiven(fragment.id)) {
      call.givenId = fragment.id;
      call.id = this.unusedId(fragment.id);
    }
    this.addName(call, fragment.name ?? '');
    call.text += fragment.arguments ?? '';
    return this.pendingDelta(call);
  }

  /** The whole calls, in the order in which they began. `isCut` as in `readArguments`. */
  finish(isCut: boolean): readonly ModelEvent[] {
    const calls = [...this.calls.values()];
    this.calls.clear();
    return calls.flatMap((call) => {
      call.id ??= this.unusedId(undefined);
      // A call without a name is a call of no tool, and gets that for an answer.
      if (call.name === '') call.name = 'unnamed_tool';
      return [
        ...this.pendingDelta(call),
        {
          type: 'tool_use' as const,
          id: call.id,
          name: this.options.nameOf(call.name),
          ...readArguments(call.text, isCut),
        },
      ];
    });
  }

  private callFor(index: number | undefined, fragment: ToolCallFragment): OpenCall {
    const key = this.keyOf(index, fragment);
    this.last = key;
    let call = this.calls.get(key);
    if (call === undefined) {
      call = { givenId: undefined, id: undefined, name: '', text: '', sent: 0 };
      this.calls.set(key, call);
    }
    return call;
  }

  /** By index; by id where there is none, or where a server gives every call the same one. */
  private keyOf(index: number | undefined, fragment: ToolCallFragment): string | number {
    const { id } = fragment;
    if (index === undefined) return isGiven(id) ? id : (this.last ?? 0);
    if (isGiven(id)) {
      const ownKey = `${index}:${id}`;
      const present = this.calls.get(index);
      const isAnother = present !== undefined && beginsAnother(present, fragment);
      return isAnother || this.calls.has(ownKey) ? ownKey : index;
    }
    const lastIsSibling = typeof this.last === 'string' && this.last.startsWith(`${index}:`);
    return lastIsSibling && this.last !== undefined ? this.last : index;
  }

  private addName(call: OpenCall, name: string): void {
    if (name === '' || name === call.name) return;
    if (this.options.offeredNames.has(call.name)) return;
    call.name += name;
  }

  private pendingDelta(call: OpenCall): readonly ModelEvent[] {
    if (call.id === undefined || call.name === '' || call.sent === call.text.length) return [];
    const delta = call.text.slice(call.sent);
    call.sent = call.text.length;
    const { nameOf } = this.options;
    return [{ type: 'tool_use.delta', id: call.id, name: nameOf(call.name), delta }];
  }

  private unusedId(wanted: string | undefined): string {
    const isFree = wanted !== undefined && !this.usedIds.has(wanted);
    const id = isFree ? wanted : `call_${randomUUID().replaceAll('-', '')}`;
    this.usedIds.add(id);
    return id;
  }
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** Another id with a name of its own, after arguments that are whole: that is a second call. */
function beginsAnother(present: OpenCall, fragment: ToolCallFragment): boolean {
  return (
    present.givenId !== undefined &&
    fragment.id !== present.givenId &&
    isGiven(fragment.name) &&
    present.text.trimEnd().endsWith('}') &&
    readArguments(present.text, true).malformedInput === undefined
  );
}
