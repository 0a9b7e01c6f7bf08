import type { ModelEvent } from '../chat-model';
import { ModelError } from '../model-error';
import { abortError, isAbortError } from './abort';
import { toModelError } from './provider-error';
import type { AnswerResponse } from './model-fetch';
import { ServerSentEvents } from './server-sent-events';
import { Watchdog, type ModelTimeouts } from './watchdog';

/** How long usage may lag behind the end of an answer. */
const USAGE_WAIT_MS = 5_000;

/** Turns the events of one provider's answer into ours. Knows nothing of connections. */
export interface AnswerDecoder {
  /** The model has said why it stopped; only its usage may still follow. */
  readonly isFinished: boolean;
  /** @throws ModelError where the event is no JSON or reports an error */
  add(data: string): readonly ModelEvent[];
  /**
   * The end of the stream: whole calls and `finish`.
   *
   * @throws ModelError where the model never said that it was done
   */
  finish(): readonly ModelEvent[];
  /** What can be kept of an answer that broke off: its calls, none of them to be taken as whole. */
  salvage(): readonly ModelEvent[];
}

export interface AnswerSource {
  readonly modelName: string;
  readonly timeouts: Required<ModelTimeouts>;
  readonly signal: AbortSignal;
  readonly decoder: AnswerDecoder;
  /** Sends the request; answers with the SDK's raw response. */
  open(signal: AbortSignal): Promise<AnswerResponse>;
}

/**
 * One attempt at an answer: opens the response, reads it, and ends as `ChatModel` promises. Its
 * events come in the batches in which they arrived.
 */
export async function* streamAnswer(
  source: AnswerSource,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  const { modelName, timeouts, signal, decoder } = source;
  const watchdog = new Watchdog(`The model ${modelName}`, signal);
  let events: ServerSentEvents | undefined;
  // A custom fetch may not heed the signal.
  watchdog.signal.addEventListener('abort', () => events?.close(false));
  try {
    watchdog.throwIfEnded();
    watchdog.expect('did not begin to answer', timeouts.connectMs);
    const { body } = await source.open(watchdog.signal);
    watchdog.expect('sent nothing', timeouts.firstEventMs, { isRefreshed: false });
    events = new ServerSentEvents(body, () => watchdog.refresh());
    let hasBegun = false;
    reading: for await (const batch of events) {
      watchdog.throwIfEnded();
      const decoded: ModelEvent[] = [];
      try {
        for (const { data } of batch) {
          if (data === '[DONE]') break reading;
          decoded.push(...decoder.add(data));
        }
      } finally {
        // What came before an error, or the end, was said.
        if (decoded.length > 0) {
          if (!hasBegun) watchdog.expect('went silent: nothing', timeouts.betweenEventsMs);
          hasBegun = true;
          yield decoded;
        }
      }
      if (decoder.isFinished) watchdog.expect('sent no usage', USAGE_WAIT_MS);
    }
    watchdog.throwIfEnded();
    yield decoder.finish();
  } catch (error) {
    if (signal.aborted) throw abortError(signal);
    // The answer was whole; what failed after it is nobody's loss.
    const isOurs = error instanceof ModelError && error.code !== 'model_timeout';
    if (decoder.isFinished && !isOurs) {
      yield decoder.finish();
      return;
    }
    const salvaged = decoder.salvage();
    if (salvaged.length > 0) yield salvaged;
    watchdog.throwIfEnded();
    throw isAbortError(error) ? error : toModelError(error, modelName);
  } finally {
    watchdog.dispose();
    events?.close(decoder.isFinished && !watchdog.signal.aborted);
  }
}
