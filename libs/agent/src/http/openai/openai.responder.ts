import type { ChatResult, RunHandle, StartOptions } from '../../run';
import type { Exchange } from '../endpoint';
import { afterEffects, logInternal, runFailed, reportsEffect } from '../errors';
import type { DisconnectPolicy } from '../options';
import { relayedRun, type RunEncoder, type RunResponder } from '../sse';

/** A run, and the encoder of its answer. */
export interface OpenAiAnswer {
  readonly run: RunHandle;
  readonly encoder: RunEncoder & {
    /** The answer if it is not streamed; `encode` has received every event before. */
    whole(result: ChatResult): object;
  };
}

/**
 * Sends a run to a client of OpenAI: as one object, or streamed.
 *
 * @param begin starts or continues the run on behalf of the caller
 * @returns the whole answer; `undefined` if it was streamed
 * @throws HttpException if the run failed before its answer began
 */
export function answerOpenAi(
  responder: RunResponder,
  exchange: Exchange,
  begin: (options: StartOptions) => Promise<OpenAiAnswer>,
  { isStream, onDisconnect }: { isStream: boolean; onDisconnect: DisconnectPolicy },
): Promise<object | undefined> {
  const tell = async (options: StartOptions): Promise<object | undefined> => {
    const { run, encoder } = await begin(options);
    let hadEffects = false;
    let result: ChatResult;
    try {
      if (isStream) {
        await responder.relay(exchange.response, relayedRun(run), encoder);
        return undefined;
      }
      for await (const event of run.events()) {
        encoder.encode(event);
        hadEffects ||= reportsEffect(event);
      }
      result = await run.finished;
    } catch (error) {
      // A run in a session is stored even if this request cannot read its events or result.
      if (run.sessionId === '' && !hadEffects) throw error;
      logInternal(error);
      throw afterEffects(error);
    }
    if (result.status === 'failed') throw runFailed(result, hadEffects);
    return encoder.whole(result);
  };
  return responder.whileConnected(exchange, tell, onDisconnect);
}
