import type { ChatModel, ModelCapabilities, ModelEvent, ModelRequest } from './chat-model';
import { ModelError } from './model-error';
import { ASKS_OTHERS, type ModelObserver } from './model-observer';
import { abortError } from '../internal';

/**
 * Several models as one: if a model fails before its first event, the next one is asked. A later
 * error is final, since events that were passed on cannot be taken back.
 *
 * @param models at least one, in the order they are asked
 * @param options the model's name for clients
 * @throws Error if there is no model
 * @example
 * import { ollama } from 'nestjs-agent/models';
 *
 * const model = fallback([openai({ model: 'gpt-4.1' }), ollama({ model: 'qwen3' })]);
 * AgentModule.forRoot({ model });
 */
export function fallback(
  models: readonly ChatModel[],
  options: {
    /** The model's name for clients; the first one's by default. */
    readonly name?: string;
  } = {},
): ChatModel {
  const [first] = models;
  if (first === undefined) throw new Error('fallback() needs at least one model.');
  const model: ChatModel & { readonly [ASKS_OTHERS]: true } = {
    name: options.name ?? first.name,
    ...(first.provider !== undefined && { provider: first.provider }),
    capabilities: shared(models),
    [ASKS_OTHERS]: true,
    stream: (request, { signal, observer }) => streamFirst(models, request, signal, observer),
  };
  return model;
}

async function* streamFirst(
  models: readonly ChatModel[],
  request: ModelRequest,
  signal: AbortSignal,
  observer: ModelObserver | undefined,
): AsyncGenerator<ModelEvent, void, undefined> {
  const failures: { readonly name: string; readonly error: unknown }[] = [];
  for (const [index, model] of models.entries()) {
    let hasBegun = false;
    const call = { signal, attempt: index + 1, reason: 'fallback' } as const;
    try {
      const events = observer?.ask(model, request, call) ?? model.stream(request, { signal });
      for await (const event of events) {
        hasBegun = true;
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted) throw abortError(signal);
      if (hasBegun || models.length === 1) throw error;
      failures.push({ name: model.name, error });
      const next = models[index + 1];
      if (next) observer?.fallback(model.name, next.name, error);
    }
  }
  throw allFailed(failures);
}

/** The error after all models failed. A retryable failure decides: a wait may help. */
function allFailed(failures: readonly { readonly name: string; readonly error: unknown }[]): Error {
  const errors = failures.map(({ error }) => error);
  const modelErrors = errors.filter((error) => error instanceof ModelError);
  const decisive = modelErrors.find(({ isRetryable }) => isRetryable) ?? modelErrors[0];
  const waits = modelErrors.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  const list = failures
    .map(({ name, error }) => `${name} (${error instanceof ModelError ? error.code : 'failed'})`)
    .join(', ');
  return new ModelError(decisive?.code ?? 'model_unavailable', `Every model failed: ${list}.`, {
    cause: new AggregateError(errors, 'every model failed'),
    ...(waits.length > 0 ? { retryAfterMs: Math.min(...waits) } : {}),
    isRetryable: decisive?.isRetryable ?? false,
  });
}

/** The capabilities that all models share, since any of them may answer. */
function shared(models: readonly ChatModel[]): ModelCapabilities {
  const every = (capability: keyof ModelCapabilities) =>
    models.every(({ capabilities }) => capabilities[capability] === true);
  return {
    tools: every('tools'),
    images: every('images'),
    files: every('files'),
    offline: every('offline'),
  };
}
