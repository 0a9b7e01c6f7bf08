import type { FinishReason, JsonObject, ModelUsage } from '../message';
import type { ChatModel, ModelCapabilities, ModelEvent, ModelRequest } from './chat-model';
import { ModelError } from './model-error';
import {
  abortError,
  eachUntilAborted,
  isAsyncIterable,
  orAbort,
  throwIfAborted,
} from '../internal';

/** A whole answer, for a model that does not stream. */
export interface ModelReply {
  /** The answer's text; none by default. */
  readonly text?: string;
  /** The calls it asks for; none by default. */
  readonly toolCalls?: readonly {
    /** The call's id, unique within the request's history and the answer. */
    readonly id: string;
    /** The tool's name. */
    readonly name: string;
    /** The arguments. */
    readonly input: JsonObject;
  }[];
  /** Why the answer ended; by default `tool_use` if there are calls, else `end_turn`. */
  readonly finishReason?: FinishReason;
  /** The tokens of the call; estimated by default. */
  readonly usage?: ModelUsage;
}

/** The answer of a custom model: whole, or its pieces as they arrive. */
export type ModelOutput =
  | string
  | ModelReply
  | Promise<string | ModelReply>
  | AsyncIterable<string | ModelEvent>;

/**
 * A model's name and function, for `defineModel`.
 *
 * @example
 * const parrot: ModelDefinition = {
 *   name: 'parrot',
 *   capabilities: { tools: false },
 *   stream: ({ messages }) => messages.map(textOf).join('\n'),
 * };
 */
export interface ModelDefinition {
  /** The model's name, as clients see it. */
  readonly name: string;
  /** The provider, for telemetry; `custom` by default. */
  readonly provider?: string;
  /** Its capabilities; `{ tools: true }` by default. */
  readonly capabilities?: ModelCapabilities;
  /** Answers one request. A string is text; a missing `finish` is added. */
  readonly stream: (
    request: ModelRequest,
    options: {
      /** Aborts the call. */
      readonly signal: AbortSignal;
    },
  ) => ModelOutput;
}

/**
 * Makes a `ChatModel` from one function, and adds the closing `finish`, a prompt end on cancel, and
 * a `ModelError` around any other error.
 *
 * @param definition the model's name and function
 * @example
 * const echo = defineModel({
 *   name: 'echo',
 *   stream: async function* ({ messages }) {
 *     yield `You said: ${textOf(messages.at(-1)!)}`;
 *   },
 * });
 */
export function defineModel(definition: ModelDefinition): ChatModel {
  const { name, provider, capabilities = { tools: true } } = definition;
  return {
    name,
    ...(provider !== undefined && { provider }),
    capabilities,
    stream: (request, { signal }) => run(definition, request, signal),
  };
}

async function* run(
  definition: ModelDefinition,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  throwIfAborted(signal);
  try {
    // A signal for this call alone: listeners that `fetch` leaves on it are released with the call.
    const output = definition.stream(request, { signal: AbortSignal.any([signal]) });
    yield* isAsyncIterable<string | ModelEvent>(output)
      ? fromPieces(output, signal)
      : fromReply(await orAbort(Promise.resolve(output), signal));
  } catch (error) {
    if (signal.aborted) throw abortError(signal);
    if (error instanceof ModelError) throw error;
    throw new ModelError('model_unavailable', `The model ${definition.name} failed.`, {
      cause: error,
    });
  }
}

async function* fromPieces(
  pieces: AsyncIterable<string | ModelEvent>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  let hasCalls = false;
  for await (const piece of eachUntilAborted(pieces, signal)) {
    const event: ModelEvent =
      typeof piece === 'string' ? { type: 'text.delta', delta: piece } : piece;
    if (event.type === 'tool_use') hasCalls = true;
    yield event;
    if (event.type === 'finish') return;
  }
  yield { type: 'finish', reason: hasCalls ? 'tool_use' : 'end_turn' };
}

function* fromReply(reply: string | ModelReply): Generator<ModelEvent, void, undefined> {
  const {
    text = '',
    toolCalls = [],
    finishReason,
    usage,
  }: ModelReply = typeof reply === 'string' ? { text: reply } : reply;
  if (text !== '') yield { type: 'text.delta', delta: text };
  for (const call of toolCalls) yield { type: 'tool_use', ...call };
  const reason = finishReason ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn');
  yield { type: 'finish', reason, ...(usage === undefined ? {} : { usage }) };
}
