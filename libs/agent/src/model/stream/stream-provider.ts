import { Batched } from '../../message';
import type { ModelEvent, ModelRequest } from '../chat-model';
import type { ModelObserver } from '../model-observer';
import type { AnswerResponse } from './model-fetch';
import { type AssemblerOptions, namesOf, usedCallIds } from '../tool-calls';
import { retryBeforeFirstEvent, type ModelRetryOptions } from './retry';
import { streamAnswer, type AnswerDecoder } from './stream-answer';
import { DEFAULT_TIMEOUTS, type ModelTimeouts } from './watchdog';

/** The provider-specific part of an answer. */
interface ProviderStream {
  readonly modelName: string;
  readonly timeouts: ModelTimeouts | undefined;
  readonly retry: ModelRetryOptions | undefined;
  /** Reads one attempt at an answer. */
  decoder(options: AssemblerOptions & { readonly modelName: string }): AnswerDecoder;
  /** Sends the request; returns the SDK's raw response. */
  open(signal: AbortSignal): Promise<AnswerResponse>;
}

/** Streams an answer to a request, with retries until the provider's first event. */
export function streamProvider(
  request: ModelRequest,
  { signal, observer }: { readonly signal: AbortSignal; readonly observer?: ModelObserver },
  provider: ProviderStream,
): AsyncIterable<ModelEvent> {
  const { modelName, retry = {} } = provider;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...provider.timeouts };
  const attempt = () => {
    const usedIds = usedCallIds(request.messages);
    return streamAnswer({
      modelName,
      timeouts,
      signal,
      observer,
      decoder: provider.decoder({ modelName, usedIds, ...namesOf(request) }),
      open: (guarded) => provider.open(guarded),
    });
  };
  return new Batched(retryBeforeFirstEvent(attempt, retry, signal, observer));
}
