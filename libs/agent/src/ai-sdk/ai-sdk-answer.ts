import { abortError, orAbort } from '../internal';
import type { ModelEvent } from '../model';
import {
  type AnswerSource,
  begunTools,
  logKept,
  openedOrAbort,
  restOf,
  USAGE_WAIT_MS,
  Watchdog,
} from '../model/stream';
import { isAiSdkRefusal, toAiSdkError } from './ai-sdk-error';
import { keepForLog } from './ai-sdk-log';
import type { AiSdkPart } from './ai-sdk-part';
import type { AiSdkStreamDecoder } from './ai-sdk-stream.decoder';

export interface AiSdkSource extends Omit<AnswerSource, 'decoder' | 'open'> {
  readonly decoder: AiSdkStreamDecoder;
  /** Begins the call. */
  open(signal: AbortSignal): Promise<ReadableStream<unknown>>;
  /** The application's own headers of each request; some may be secret. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** One attempt at an answer; it ends as `ChatModel` requires. */
export async function* streamAnswer(
  source: AiSdkSource,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  const { modelName, timeouts, signal, decoder } = source;
  const watchdog = new Watchdog(`The model ${modelName}`, signal);
  let reader: ReadableStreamDefaultReader<unknown> | undefined;
  let hasBegun = false;
  try {
    watchdog.throwIfEnded();
    watchdog.expect('did not begin to answer', timeouts.connectMs);
    const opening = source.open(watchdog.signal);
    const stream = await openedOrAbort(opening, watchdog.signal, (late) => late.cancel());
    reader = stream.getReader();
    watchdog.expect('sent nothing', timeouts.firstEventMs, { isRefreshed: false });
    for (;;) {
      const { done, value } = await orAbort(reader.read(), watchdog.signal);
      watchdog.refresh();
      if (done) break;
      const wasRefused = decoder.isRefused;
      const events = decoder.add(value as AiSdkPart);
      if (decoder.isRefused && !wasRefused) {
        watchdog.expect('sent no usage', USAGE_WAIT_MS, { isRefreshed: false });
      }
      if (events.length === 0) continue;
      if (!hasBegun && !decoder.isRefused)
        watchdog.expect('went silent: nothing', timeouts.betweenEventsMs);
      hasBegun = true;
      yield events;
    }
    watchdog.throwIfEnded();
    yield finished(source);
  } catch (error) {
    if (signal.aborted) {
      const begun = begunTools(decoder);
      if (begun.length > 0) yield begun;
      throw abortError(signal);
    }
    if (isAiSdkRefusal(error)) decoder.refuse();
    // Only its usage was missing.
    if (decoder.isRefused) {
      yield finished(source);
      return;
    }
    const rest = restOf(decoder, hasBegun);
    hasBegun ||= rest.length > 0;
    if (rest.length > 0) yield rest;
    watchdog.throwIfEnded();
    keepForLog(error, source.headers);
    // There is no further attempt that the log line would wait for.
    if (hasBegun) logKept(error);
    throw toAiSdkError(error, modelName);
  } finally {
    watchdog.dispose();
    // Its errors no longer matter.
    reader?.cancel().catch(() => undefined);
  }
}

function finished({ decoder, observer }: AiSdkSource): readonly ModelEvent[] {
  const events = decoder.finish();
  observer?.answered(decoder.response);
  return events;
}
