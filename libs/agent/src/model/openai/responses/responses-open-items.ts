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
  hasBegun: boolean;
  /** Whether a call has arguments. */
  hasArguments: boolean;
  /** A tool that the provider has begun to run. */
  tool: ProviderToolEvent | undefined;
  isDone: boolean;
}

/** The items of a response, by the index and the id that its events have, if any. */
export class ResponsesOpenItems {
  private readonly items = new Map<unknown, OpenItem>();
  private readonly told = { hasThoughts: false };
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
  known({ type, output_index, item_id, item }: ResponsesEvent): OpenItem | undefined {
    const id = item_id ?? item?.id;
    // A piece or an end without either belongs to the item before it.
    if (output_index === undefined && id === undefined) {
      const { last } = this;
      const isEnd = type === 'response.output_item.done' && item?.type === last?.type;
      const isSame = item ? isEnd : last?.tool === undefined;
      return isSame && last?.isDone !== true ? last : undefined;
    }
    const named = this.items.get(id);
    const numbered = this.items.get(output_index);
    // Some have one index for all: another item begins where one has ended.
    return numbered?.isDone === true && item ? named : (numbered ?? named);
  }

  of(event: ResponsesEvent): OpenItem {
    const { output_index, item_id, item } = event;
    const id = item_id ?? item?.id;
    const open = this.known(event) ?? {
      index: this.count++,
      thought: new ResponsesThought(this.told),
      text: new ResponsesText(),
      type: '',
      hasBegun: false,
      hasArguments: false,
      tool: undefined,
      isDone: false,
    };
    this.last = open;
    this.items.set(output_index ?? id ?? open, open);
    if (id !== undefined) this.items.set(id, open);
    return open;
  }
}
