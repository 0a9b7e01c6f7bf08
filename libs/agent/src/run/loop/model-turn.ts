import {
  countedUsage,
  NO_USAGE,
  type ContentBlock,
  type FinishReason,
  type ToolKind,
  type Usage,
} from '../../message';
import { defined, getOrAdd, thrownText } from '../../internal';
import { withinDepth } from '../../invocation';
import {
  AnswerContent,
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

/** Whether the provider has begun tools of its own, which a repeated call would run again. */
export function hasRunTools({ content }: Pick<ModelTurn, 'content'>): boolean {
  return content.some(({ type }) => type === 'provider_tool');
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
  const gathered = new AnswerContent();
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
        emit({ type: 'text.delta', delta: event.delta });
        break;
      case 'reasoning.delta':
        emit({ type: 'thinking.delta', delta: event.delta });
        break;
      case 'tool_use.delta': {
        const { name, delta } = event;
        const callId = idOf(event.id);
        emit({ type: 'tool.input.delta', callId, name, kind: kindOf(name), delta });
        break;
      }
      case 'tool_use': {
        const { type, name, input, malformedInput, providerData } = event;
        gathered.add({
          type,
          id: idOf(event.id),
          name,
          // Limits the depth for storage; the call's creation reports the error.
          input: withinDepth(input),
          ...defined({ malformedInput, providerData }),
        });
        callIds.delete(event.id);
        return;
      }
      case 'finish':
        finishReason = event.reason;
        usage = countedUsage(event.usage) ?? NO_USAGE;
        break;
      case 'text.end':
      case 'reasoning.end':
      case 'source':
      case 'provider_tool':
        break;
    }
    gathered.add(event);
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
