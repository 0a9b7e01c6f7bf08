import {
  countedUsage,
  NO_USAGE,
  type ContentBlock,
  type FinishReason,
  type ProviderData,
  type ToolKind,
  type Usage,
} from '../../message';
import { getOrAdd, thrownText } from '../../internal';
import { withinDepth } from '../../invocation';
import {
  type AskModel,
  askModel,
  type ChatModel,
  ModelError,
  type ModelEvent,
  type ModelRequest,
} from '../../model';
import type { PieceBody, StepTiming } from '../../session';

/** The answer of one model call. */
export interface ModelTurn {
  readonly content: readonly ContentBlock[];
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** How long the call took. */
  readonly timing: StepTiming;
  /** Set if the stream failed; `content` is then partial, and its calls never run. */
  readonly failure?: Error;
}

interface TurnOptions {
  readonly signal: AbortSignal;
  readonly emit: (piece: PieceBody) => void;
  /** The call's id: the model's own, unless it is empty or already used. */
  readonly claimCallId: (modelId: string) => string;
  readonly kindOf: (name: string) => ToolKind;
  /** Asks the model; its `stream` by default. */
  readonly ask?: AskModel;
}

/** Calls the model once: streams the answer as events and collects its content blocks. */
export async function takeTurn(
  model: ChatModel,
  request: ModelRequest,
  { signal, emit, claimCallId, kindOf, ask = askModel(model) }: TurnOptions,
): Promise<ModelTurn> {
  const gathered = new TurnContent();
  const callIds = new Map<string, string>();
  const idOf = (modelId: string): string => getOrAdd(callIds, modelId, claimCallId);
  let usage: Usage = NO_USAGE;
  let finishReason: FinishReason | undefined;
  const startedAt = performance.now();
  let firstAt: number | undefined;
  const timing = (): StepTiming => ({
    totalMs: Math.round(performance.now() - startedAt),
    ...(firstAt !== undefined && { firstTokenMs: Math.round(firstAt - startedAt) }),
  });
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
          // Limits the depth for storage; the call's creation reports the error.
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
    await ask(request, signal, (events) => {
      firstAt ??= performance.now();
      events.forEach(take);
    });
    signal.throwIfAborted();
    if (finishReason === undefined || finishReason === 'error') {
      throw new ModelError('model_unavailable', "The model's answer was cut off.");
    }
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(thrownText(error));
    return {
      content: gathered.all(),
      finishReason: 'error',
      usage,
      timing: timing(),
      failure,
    };
  }
  return { content: gathered.all(), finishReason, usage, timing: timing() };
}

/** A block whose text may continue. */
interface OpenBlock {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerData?: ProviderData;
}

/** Collects content blocks. */
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
