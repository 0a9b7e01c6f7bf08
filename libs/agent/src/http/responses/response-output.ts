import type { AgentEvent, EventOf } from '../../message';
import { isShownFlat, wordedEnd } from '../sse';
import {
  approvalRequest,
  functionCall,
  mcpCall,
  type OutputItem,
  settled,
  textItem,
  type TextKind,
  textPart,
  type ItemCall,
} from './output-items';
import type { EarlierCalls } from './run-parts';

/** An event of the response's stream, without its number. */
export interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface OutputOptions {
  /** The label of the application's own tools. */
  readonly agentName: string;
  /** Whether calls of server tools are hidden; approvals are always sent. */
  readonly hidesServerItems: boolean;
  readonly sendReasoning: boolean;
  /** Whether the answer must be JSON, and so is the last step's text alone. */
  readonly isJson: boolean;
  /** The calls of earlier responses that may have their results in this one. */
  readonly earlier: EarlierCalls;
  /** The client's own name of one of its tools. */
  readonly clientNameOf: (name: string) => string;
}

/** The text being written. */
interface OpenText {
  readonly kind: TextKind;
  readonly id: string;
  readonly place: {
    readonly item_id: string;
    readonly output_index: number;
    readonly content_index: 0;
  };
  text: string;
}

/** Turns the events of one part of a run into a response's items, and the events about them. */
export class ResponseOutput {
  private readonly all: OutputItem[] = [];
  /** The places of items of discarded steps. */
  private readonly discarded = new Set<number>();
  /** Where the items of an unfinished step begin. */
  private stepBegin: number | undefined;
  private open: OpenText | undefined;
  private streamed = '';
  /** The running calls of the application's tools, by their index. */
  private readonly running = new Map<string, number>();
  private readonly requested = new Set<string>();
  /** The calls of this response that ask agents: each is sent with its result. */
  private readonly delegating: ItemCall[] = [];

  constructor(private readonly options: OutputOptions) {}

  /** The items but those of discarded steps, which clients have as incomplete ones. */
  get items(): readonly OutputItem[] {
    return this.all.filter((_item, place) => !this.discarded.has(place));
  }

  take(event: AgentEvent): readonly ResponseEvent[] {
    if (!isShownFlat(event)) return [];
    switch (event.type) {
      case 'thinking.delta':
        return this.options.sendReasoning ? this.write('reasoning', event) : [];
      case 'text.delta':
        return this.options.isJson ? [] : this.write('message', event);
      case 'step.started':
        this.stepBegin = this.all.length;
        return this.closeText('completed');
      case 'step.finished':
        this.stepBegin = undefined;
        return [];
      case 'step.discarded':
        return this.discard();
      case 'tool.call':
        return [...this.closeText('completed'), ...this.beginCall(event)];
      case 'tool.result':
        return [...this.closeText('completed'), ...this.endCall(event)];
      case 'run.finished':
        return this.finish(event);
      default:
        return [];
    }
  }

  /** Voids an unfinished step. A finished one stays as it is if its worker stops later. */
  private discard(): readonly ResponseEvent[] {
    if (this.stepBegin === undefined) return [];
    for (let place = this.stepBegin; place < this.all.length; place += 1) this.discarded.add(place);
    this.stepBegin = undefined;
    this.streamed = '';
    return this.closeText('incomplete');
  }

  private write(
    kind: TextKind,
    { delta, runId, seq }: { readonly delta: string; readonly runId: string; readonly seq: number },
  ): readonly ResponseEvent[] {
    const begun: ResponseEvent[] = [];
    if (this.open?.kind !== kind) {
      begun.push(...this.closeText('completed'));
      const id = `${kind === 'message' ? 'msg' : 'rs'}_${runId}_${seq}`;
      const place = { item_id: id, output_index: this.all.length, content_index: 0 } as const;
      this.open = { kind, id, place, text: '' };
      begun.push(this.added(textItem(kind, id, 'in_progress', [])));
      begun.push({ type: 'response.content_part.added', ...place, part: textPart(kind, '') });
    }
    const { open } = this;
    open.text += delta;
    if (kind === 'message') this.streamed = open.text;
    return [...begun, { type: `${PIECE[kind]}.delta`, ...open.place, delta, ...EXTRA[kind] }];
  }

  private closeText(status: 'completed' | 'incomplete'): readonly ResponseEvent[] {
    if (this.open === undefined) return [];
    const { kind, id, place, text } = this.open;
    this.open = undefined;
    const part = textPart(kind, text);
    return [
      { type: `${PIECE[kind]}.done`, ...place, text, ...EXTRA[kind] },
      { type: 'response.content_part.done', ...place, part },
      this.done(place.output_index, textItem(kind, id, status, [part])),
    ];
  }

  /** Calls that still wait at the end are sent then. */
  private beginCall(call: EventOf<'tool.call'>): readonly ResponseEvent[] {
    const { callId, kind, awaits } = call;
    this.requested.add(callId);
    if (awaits !== undefined || kind === 'frontend' || this.options.hidesServerItems) return [];
    if (kind === 'agent') {
      this.delegating.push(call);
      return [];
    }
    return this.runs(call);
  }

  private runs(call: ItemCall): readonly ResponseEvent[] {
    const { callId } = call;
    const item = mcpCall(call, this.options.agentName, this.wasAsked(callId));
    const at = { item_id: item.id, output_index: this.all.length };
    this.running.set(callId, at.output_index);
    const text = item.arguments;
    return [
      this.added({ ...item, arguments: '' }, item),
      { type: 'response.mcp_call.in_progress', ...at },
      { type: 'response.mcp_call_arguments.delta', ...at, delta: text },
      { type: 'response.mcp_call_arguments.done', ...at, arguments: text },
    ];
  }

  private endCall(event: EventOf<'tool.result'>): readonly ResponseEvent[] {
    const begun = this.running.has(event.callId) ? [] : this.beginLate(event);
    const output_index = this.running.get(event.callId);
    const call = output_index === undefined ? undefined : this.all[output_index];
    if (output_index === undefined || call?.type !== 'mcp_call') return [];
    this.running.delete(event.callId);
    const item = settled(call, event);
    const type = `response.mcp_call.${item.status}`;
    return [...begun, { type, item_id: item.id, output_index }, this.done(output_index, item)];
  }

  /** A call that asked an agent, or was approved; a declined one did not run, and has no item. */
  private beginLate({ callId, outcome }: EventOf<'tool.result'>): readonly ResponseEvent[] {
    const { earlier, hidesServerItems } = this.options;
    const isOfCall = (each: ItemCall): boolean => each.callId === callId;
    const call =
      earlier.asked.find(isOfCall) ?? [...earlier.delegating, ...this.delegating].find(isOfCall);
    const hasRun = outcome !== 'declined' && outcome !== 'expired';
    if (call === undefined || !hasRun || hidesServerItems) return [];
    return this.runs(call);
  }

  private finish(event: EventOf<'run.finished'>): readonly ResponseEvent[] {
    const isCut = !isWhole(event);
    const json = event.status === 'failed' ? '' : event.message;
    const words = this.options.isJson ? json : wordedEnd(event, this.streamed);
    const { runId, seq } = event;
    return [
      ...(words === '' ? [] : this.closeText('completed')),
      ...(words === '' ? [] : this.write('message', { delta: words, runId, seq })),
      ...this.closeText(isCut ? 'incomplete' : 'completed'),
      ...event.pendingActions.flatMap((action) => this.pending(action)),
    ];
  }

  private pending(
    action: EventOf<'run.finished'>['pendingActions'][number],
  ): readonly ResponseEvent[] {
    const { type, callId, name, input } = action;
    const { agentName, clientNameOf } = this.options;
    if (type === 'approval') {
      const output_index = this.all.length;
      const item = approvalRequest(action, agentName);
      return [this.added(item), this.done(output_index, item)];
    }
    // A client that got the call in an earlier response is executing it.
    if (type !== 'frontend' || !this.requested.has(callId)) return [];
    const item = functionCall({ callId, name: clientNameOf(name), input });
    const at = { item_id: item.id, output_index: this.all.length };
    const text = item.arguments;
    const done = { type: 'response.function_call_arguments.done', ...at, name: item.name };
    return [
      this.added({ ...item, status: 'in_progress', arguments: '' }),
      { type: 'response.function_call_arguments.delta', ...at, delta: text },
      { ...done, arguments: text },
      this.done(at.output_index, item),
    ];
  }

  private wasAsked(callId: string): boolean {
    return this.options.earlier.asked.some((each) => each.callId === callId);
  }

  /** @param kept the stored item, if it is first sent in another form */
  private added(item: OutputItem, kept = item): ResponseEvent {
    const output_index = this.all.push(kept) - 1;
    return { type: 'response.output_item.added', output_index, item };
  }

  private done(output_index: number, item: OutputItem): ResponseEvent {
    this.all[output_index] = item;
    return { type: 'response.output_item.done', output_index, item };
  }
}

const PIECE = { message: 'response.output_text', reasoning: 'response.reasoning_text' } as const;
const EXTRA = { message: { logprobs: [] }, reasoning: {} } as const;

/** Whether nothing cut the answer off. */
function isWhole({ status, stopReason }: EventOf<'run.finished'>): boolean {
  return (status === 'completed' || status === 'requires_action') && stopReason !== 'max_tokens';
}
