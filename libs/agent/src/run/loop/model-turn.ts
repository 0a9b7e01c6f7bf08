import {
  batchesOf,
  countedUsage,
  NO_USAGE,
  type ContentBlock,
  type FinishReason,
  type ProviderData,
  type ToolKind,
  type Usage,
} from '../../message';
import { eachUntilAborted, thrownText } from '../../internal';
import { withinDepth } from '../../invocation';
import {
  type AskModel,
  askModel,
  type ChatModel,
  ModelError,
  type ModelEvent,
  type ModelRequest,
} from '../../model';
import type { PieceBody } from '../../session';

/** What came of one model call. */
export interface ModelTurn {
  readonly content: readonly ContentBlock[];
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** Set where the stream broke; `content` is then what had come before. Its calls never run. */
  readonly failure?: Error;
}

export interface TurnOptions {
  readonly signal: AbortSignal;
  readonly emit: (piece: PieceBody) => void;
  /** The id a call is known by here: the model's own, unless it is empty or used before. */
  readonly claimCallId: (modelId: string) => string;
  /** How a tool is carried out. */
  readonly kindOf: (name: string) => ToolKind;
  /** Asks the model; its `stream` by default. */
  readonly ask?: AskModel;
}

/** Calls the model once: streams what it says as events and gathers it as content blocks. */
export async function takeTurn(
  model: ChatModel,
  request: ModelRequest,
  { signal, emit, claimCallId, kindOf, ask = askModel(model) }: TurnOptions,
): Promise<ModelTurn> {
  const gathered = new TurnContent();
  const callIds = new Map<string, string>();
  const idOf = (modelId: string): string => {
    const known = callIds.get(modelId);
    if (known !== undefined) return known;
    const claimed = claimCallId(modelId);
    callIds.set(modelId, claimed);
    return claimed;
  };
  let usage: Usage = NO_USAGE;
  let finishReason: FinishReason | undefined;
  const take = (event: ModelEvent): void => {
    switch (event.type) {
      case 'text.delta':
        gathered.addText(event.delta);
        emit({ type: 'text.delta', delta: event.delta });
        break;
      case 'text.end':
        gathered.endText(event.providerData);
        break;
      case 'reasoning.delta':
        gathered.addReasoning(event.delta);
        emit({ type: 'thinking.delta', delta: event.delta });
        break;
      case 'reasoning.end':
        gathered.endReasoning(event.providerData);
        break;
      case 'tool_use.delta': {
        const { name, delta } = event;
        const callId = idOf(event.id);
        emit({ type: 'tool.input.delta', callId, name, kind: kindOf(name), delta });
        break;
      }
      case 'source':
      case 'provider_tool':
        gathered.add(event);
        break;
      case 'tool_use': {
        const { type, name, input, malformedInput, providerData } = event;
        gathered.add({
          type,
          id: idOf(event.id),
          name,
          // A history has to be writable; what is wrong with the call is told at its creation.
          input: withinDepth(input),
          ...(malformedInput !== undefined && { malformedInput }),
          ...(providerData && { providerData }),
        });
        callIds.delete(event.id);
        break;
      }
      case 'finish':
        finishReason = event.reason;
        usage = countedUsage(event.usage) ?? NO_USAGE;
        break;
    }
  };
  try {
    // A model that heeds no signal must not hold up a cancel, a shutdown or a lost lease.
    const batches = batchesOf(ask(request, signal));
    for await (const batch of eachUntilAborted(batches, signal)) batch.forEach(take);
    signal.throwIfAborted();
    if (finishReason === undefined || finishReason === 'error') {
      throw new ModelError('model_unavailable', "The model's answer was cut off.");
    }
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(thrownText(error));
    return { content: gathered.all(), finishReason: 'error', usage, failure };
  }
  return { content: gathered.all(), finishReason, usage };
}

/** A block that more of its text may follow. */
interface OpenBlock {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerData?: ProviderData;
}

/** Content blocks in the making. */
class TurnContent {
  private readonly blocks: ContentBlock[] = [];
  private open: OpenBlock | undefined;

  addText(delta: string): void {
    this.openAs('text').text += delta;
  }

  addReasoning(delta: string): void {
    this.openAs('reasoning').text += delta;
  }

  endText(providerData: ProviderData | undefined): void {
    if (providerData) this.openAs('text').providerData = providerData;
    this.close();
  }

  endReasoning(providerData: ProviderData): void {
    this.openAs('reasoning').providerData = providerData;
    this.close();
  }

  add(block: ContentBlock): void {
    this.close();
    this.blocks.push(block);
  }

  all(): readonly ContentBlock[] {
    this.close();
    return this.blocks;
  }

  private openAs(type: OpenBlock['type']): OpenBlock {
    if (this.open?.type !== type) {
      this.close();
      this.open = { type, text: '' };
    }
    return this.open;
  }

  private close(): void {
    const { open } = this;
    this.open = undefined;
    if (open === undefined || (open.text === '' && open.providerData === undefined)) return;
    this.blocks.push(open);
  }
}
