import type { ModelEvent } from '../chat-model';
import { ModelError } from '../model-error';
import type { ModelObserver } from '../model-observer';
import { abortError, orAbort } from '../../internal';
import type { ObservedResponse } from '../../telemetry';
import { keepErrorIn, logKept, toModelError } from './failures';
import type { AnswerResponse } from './model-fetch';
import { discard, ServerSentEvents } from './server-sent-events';
import { Watchdog, type ModelTimeouts } from './watchdog';

/** The time for usage to follow the end of an answer. */
export const USAGE_WAIT_MS = 5_000;
/** Maximum size of an answer with its frames: a faulty server must not fill the memory. */
const MAX_ANSWER_CHARS = 128 * 1024 * 1024;

/**
 * Converts the events of one provider's answer to model events, without access to the connection.
 */
export interface AnswerDecoder {
  /** The model has given its finish reason; only its usage may still follow. */
  readonly isFinished: boolean;
  /** The provider has marked the end of the stream. */
  readonly isOver: boolean;
  /** @throws ModelError if the event is not JSON or reports an error */
  add(data: string): readonly ModelEvent[];
  /**
   * The end of the stream: whole calls and `finish`.
   *
   * @throws ModelError if the model did not report its end
   */
  finish(): readonly ModelEvent[];
  /**
   * The part of an interrupted answer that can be kept: its calls, all counted as incomplete, and
   * the tools that the provider has begun.
   */
  salvage(): readonly ModelEvent[];
  /** The provider's data about its answer, for telemetry; missing if it sends none. */
  readonly response?: ObservedResponse;
}

export interface AnswerSource {
  readonly modelName: string;
  readonly timeouts: Required<ModelTimeouts>;
  readonly signal: AbortSignal;
  readonly decoder: AnswerDecoder;
  /** Sends the request; returns the SDK's raw response. */
  open(signal: AbortSignal): Promise<AnswerResponse>;
  /** Receives the provider's data about its answer. */
  readonly observer?: Pick<ModelObserver, 'answered'> | undefined;
}

/**
 * One attempt at an answer: opens the response, reads it, and ends as `ChatModel` requires. Its
 * events come in the batches in which they arrived.
 */
export async function* streamAnswer(
  source: AnswerSource,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  const { modelName, timeouts, signal, decoder } = source;
  const watchdog = new Watchdog(`The model ${modelName}`, signal);
  let events: ServerSentEvents | undefined;
  let response: AnswerResponse | undefined;
  let hasBegun = false;
  // A custom `fetch` may ignore the signal.
  watchdog.signal.addEventListener('abort', () => events?.close(false));
  try {
    watchdog.throwIfEnded();
    watchdog.expect('did not begin to answer', timeouts.connectMs);
    response = await openedOrAbort(source.open(watchdog.signal), watchdog.signal, discard);
    watchdog.expect('sent nothing', timeouts.firstEventMs, { isRefreshed: false });
    events = new ServerSentEvents(response.body, () => watchdog.refresh());
    watchdog.throwIfEnded();
    let length = 0;
    reading: for await (const batch of events) {
      watchdog.throwIfEnded();
      const wasFinished = decoder.isFinished;
      const decoded: ModelEvent[] = [];
      try {
        for (const { data } of batch) {
          length += data.length;
          if (length > MAX_ANSWER_CHARS) throw endless(modelName);
          decoded.push(...decoder.add(data));
          if (decoder.isOver) break reading;
        }
      } finally {
        // Events before an error, or the end, are part of the answer.
        if (decoded.length > 0) {
          if (!hasBegun) watchdog.expect('went silent: nothing', timeouts.betweenEventsMs);
          hasBegun = true;
          yield decoded;
        }
      }
      // An event without content, such as a comment, does not extend the wait.
      if (decoder.isFinished && (!wasFinished || decoded.length > 0)) {
        watchdog.expect('sent no usage', USAGE_WAIT_MS, { isRefreshed: false });
      }
    }
    watchdog.throwIfEnded();
    yield finished(source);
  } catch (error) {
    if (signal.aborted) {
      const begun = begunTools(decoder);
      if (begun.length > 0) yield begun;
      throw abortError(signal);
    }
    // The answer was whole; a later failure does not matter.
    const isOurs = error instanceof ModelError && error.code !== 'model_timeout';
    if (decoder.isFinished && !isOurs) {
      yield finished(source);
      return;
    }
    const rest = restOf(decoder, hasBegun);
    hasBegun ||= rest.length > 0;
    if (rest.length > 0) yield rest;
    watchdog.throwIfEnded();
    const failure = toModelError(error, modelName);
    if (response) keepErrorIn(response, failure);
    // There is no further attempt that the log line would wait for.
    if (hasBegun) logKept(failure);
    throw failure;
  } finally {
    watchdog.dispose();
    events?.close(decoder.isFinished && !watchdog.signal.aborted);
  }
}

/**
 * The remaining events of a broken answer. Before its first event another attempt may repeat the
 * answer, unless the provider has begun a tool, which would run twice.
 */
export function restOf(
  decoder: Pick<AnswerDecoder, 'salvage'>,
  hasBegun: boolean,
): readonly ModelEvent[] {
  const rest = decoder.salvage();
  return hasBegun || rest.some(({ type }) => type === 'provider_tool') ? rest : [];
}

/** What is still to be passed on of a cancelled answer: effects that its caller must know of. */
export function begunTools(decoder: Pick<AnswerDecoder, 'salvage'>): readonly ModelEvent[] {
  return decoder.salvage().filter(({ type }) => type === 'provider_tool');
}

function finished({ decoder, observer }: AnswerSource): readonly ModelEvent[] {
  const events = decoder.finish();
  const response = observer && decoder.response;
  if (response) observer.answered(response);
  return events;
}

/** The application's or a package's code may ignore the signal; this function enforces it. */
export async function openedOrAbort<T>(
  opening: Promise<T>,
  signal: AbortSignal,
  close: (late: T) => unknown,
): Promise<T> {
  try {
    return await orAbort(opening, signal);
  } catch (error) {
    // A late connection is closed at once.
    opening.then(close).catch(() => undefined);
    throw error;
  }
}

function endless(modelName: string): ModelError {
  return new ModelError('model_unavailable', `The answer of the model ${modelName} has no end.`);
}
