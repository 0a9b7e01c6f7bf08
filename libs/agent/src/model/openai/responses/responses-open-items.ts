import type { ResponsesEvent } from './responses-event';
import type { ProviderToolEvent } from './responses-hosted';
import { ResponsesText } from './responses-text';
import { ResponsesThought } from './responses-thought';

/** An item of the output, as received so far. */
export interface OpenItem {
  readonly index: number;
  readonly thought: ResponsesThought;
  readonly text: ResponsesText;
  type: string;
  /** Whether an event had its index or its id. */
  isNamed: boolean;
  hasBegun: boolean;
  /** Whether a call has arguments. */
  hasArguments: boolean;
  /** A tool that the provider has begun to run. */
  tool: ProviderToolEvent | undefined;
  isDone: boolean;
}

/** The events that may name an item whose pieces had no name. */
const ENDS = new Set<unknown>(['response.output_item.done', 'response.output_text.done']);

const TYPES_OF_PIECES = new Map<unknown, string>([
  ['response.output_text.delta', 'message'],
  ['response.output_text.done', 'message'],
  ['response.refusal.delta', 'message'],
  ['response.reasoning_summary_text.delta', 'reasoning'],
  ['response.reasoning_text.delta', 'reasoning'],
  ['response.function_call_arguments.delta', 'function_call'],
  ['response.function_call_arguments.done', 'function_call'],
]);

/** The items of a response, by the index and the id that its events have, if any. */
export class ResponsesOpenItems {
  private readonly items = new Map<unknown, OpenItem>();
  private readonly answer = { hasThoughts: false };
  private last: OpenItem | undefined;
  private count = 0;

  get all(): readonly OpenItem[] {
    return [...new Set(this.items.values())];
  }

  clear(): void {
    this.items.clear();
    this.last = undefined;
  }

  /** Some services leave out the index, and some give an item another id at its end. */
  known(event: ResponsesEvent): OpenItem | undefined {
    const { output_index, item } = event;
    const id = idOf(event);
    if (!isGiven(output_index) && !isGiven(id)) return this.continued(event);
    const own = this.items.get(id);
    const numbered = this.items.get(output_index);
    // Some give all calls one id.
    const isNext = own?.isDone === true || (isGiven(output_index) && numbered === undefined);
    const isOther = isNext && isGiven(item?.call_id) && !this.items.has(item?.call_id);
    const named = isOther ? undefined : own;
    // Some have one index for all: another item begins where one has ended.
    const known = numbered?.isDone === true && item ? named : (numbered ?? named);
    if (known !== undefined || !ENDS.has(event.type)) return known;
    const open = this.continued(event);
    return open?.isNamed === true ? undefined : open;
  }

  of(event: ResponsesEvent): OpenItem {
    const { output_index, item } = event;
    const id = idOf(event);
    const open = this.known(event) ?? {
      index: this.count++,
      thought: new ResponsesThought(this.answer),
      text: new ResponsesText(),
      type: '',
      isNamed: false,
      hasBegun: false,
      hasArguments: false,
      tool: undefined,
      isDone: false,
    };
    this.last = open;
    open.isNamed ||= isGiven(output_index) || isGiven(id);
    const names = [output_index, id, item?.call_id].filter(isGiven);
    for (const name of names.length > 0 ? names : [open]) this.items.set(name, open);
    return open;
  }

  /** The item that a piece or an end without an index and an id belongs to: often the one before. */
  private continued({ type, item }: ResponsesEvent): OpenItem | undefined {
    if (item && !ENDS.has(type)) return undefined;
    const open = this.items.get(item?.call_id) ?? this.last;
    if (open === undefined || open.isDone) return undefined;
    const expected = item ? item.type : TYPES_OF_PIECES.get(type);
    const isUnnamed = open.type === '' && open.tool === undefined;
    return isUnnamed || open.type === expected ? open : undefined;
  }
}

function idOf({ item_id, item }: ResponsesEvent): unknown {
  return item_id ?? item?.id;
}

function isGiven(name: unknown): boolean {
  return name !== undefined && name !== null && name !== '';
}
