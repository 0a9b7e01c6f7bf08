import { Inject, Injectable, Logger } from '@nestjs/common';
import { batchesOf, NO_USAGE, type AgentEvent, type PendingAction } from '../message';
import { ShuttingDownError, type ChatResult, type RunHandle, type StartOptions } from '../run';
import { CallerResolver } from './caller';
import type { Exchange } from './endpoint';
import { logFailure, runFailed, UNTOLD } from './errors';
import { HTTP_OPTIONS } from './http.constants';
import type { AgentHttpOptions, DisconnectPolicy } from './http-options.interface';
import { eventEncoder, RunStream, SSE_RETRY, type RunEncoder } from './sse';
import type { TakenResponse } from './wire';

/** How one protocol streams runs. */
export interface StreamProtocol {
  /** The encoder of one stream. */
  readonly encoderFor?: (run: RunHandle) => RunEncoder;
  /** What becomes of the run when its client goes away. */
  readonly onDisconnect?: DisconnectPolicy;
}

/** What is told of a run, and its result where that is told too. */
export interface ToldRun {
  readonly runId: string;
  readonly events: AsyncIterable<AgentEvent>;
  readonly finished?: Promise<ChatResult>;
}

/**
 * Carries a run to the client that asked for it: whole, or streamed in its protocol.
 *
 * @example
 * import { Endpoint, RunResponder, type Exchange, type RunEncoder } from 'nestjs-agent/endpoints';
 *
 * const LINES: RunEncoder = {
 *   encode: (event) => (event.type === 'text.delta' ? `data: ${event.delta}\n\n` : ''),
 * };
 *
 * \@Controller('lines')
 * export class LinesController {
 *   constructor(
 *     private readonly agent: AgentService,
 *     private readonly runs: RunResponder,
 *   ) {}
 *
 *   \@Post()
 *   \@Endpoint()
 *   stream(exchange: Exchange): Promise<void> {
 *     return this.runs.stream(exchange, (options) => this.agent.start({ message: 'Hi' }, options), {
 *       encoderFor: () => LINES,
 *     });
 *   }
 * }
 */
@Injectable()
export class RunResponder {
  private readonly logger = new Logger('AgentHttp');

  /** @internal */
  constructor(
    private readonly callers: CallerResolver,
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
  ) {}

  /**
   * Waits for the run.
   *
   * @param exchange the request and its answer
   * @param start begins the run, or continues it, on behalf of the caller
   * @throws HttpException where the run failed
   */
  answer(
    exchange: Exchange,
    start: (options: StartOptions) => Promise<RunHandle>,
  ): Promise<ChatResult> {
    return this.whileConnected(exchange, async (options) => {
      const run = await start(options);
      const result = await run.finished;
      if (result.status === 'failed') throw runFailed(result);
      return result;
    });
  }

  /**
   * Streams a run as its client's protocol tells it. Rejects only before the stream has begun.
   *
   * @param exchange the request and its answer
   * @param start begins the run, or continues it, on behalf of the caller
   * @param protocol our own events by default, and the module's `onDisconnect`
   */
  stream(
    exchange: Exchange,
    start: (options: StartOptions) => Promise<RunHandle>,
    { encoderFor = () => eventEncoder, onDisconnect }: StreamProtocol = {},
  ): Promise<void> {
    return this.whileConnected(
      exchange,
      async (options) => {
        const run = await start(options);
        const { runId, finished } = run;
        const told = { runId, events: run.events(), finished };
        await this.relay(exchange.response, told, encoderFor(run));
      },
      onDisconnect,
    );
  }

  /**
   * Writes events to their end. A run that goes on elsewhere while this process closes is not over:
   * its reader is to come back.
   *
   * @param response where they are written
   * @param run the run's id, its events, and its result where the protocol tells that
   * @param encoder our own events by default
   */
  async relay(
    response: TakenResponse,
    run: ToldRun,
    encoder: RunEncoder = eventEncoder,
  ): Promise<void> {
    const { runId, events, finished } = run;
    const stream = new RunStream(response, encoder, this.options.sse);
    let seq = 0;
    try {
      for await (const batch of batchesOf(events)) {
        for (const event of batch) {
          if (response.isOver) return;
          seq = event.seq;
          const caughtUp = stream.write(encoder.encode(event));
          if (caughtUp) await caughtUp;
        }
      }
      if (finished === undefined || encoder.close === undefined) return;
      const result = await finished;
      if (result.status === 'failed' && !stream.isOpen) throw runFailed(result);
      await stream.write(encoder.close(result));
    } catch (error) {
      if (!stream.isOpen) throw error;
      if (error instanceof ShuttingDownError) {
        await stream.write(SSE_RETRY);
        return;
      }
      logFailure(this.logger, error);
      await stream.write(failureFrames(encoder, runId, seq));
    } finally {
      stream.close();
    }
  }

  /**
   * Calls `use` with the caller's options. A client that goes away meanwhile aborts their signal, as
   * far as the policy says so.
   *
   * @param exchange the request and its answer
   * @param use starts what ends with the client
   * @param policy the module's `onDisconnect` by default
   */
  async whileConnected<T>(
    exchange: Exchange,
    use: (options: StartOptions) => Promise<T>,
    policy: DisconnectPolicy = this.options.onDisconnect,
  ): Promise<T> {
    const { request, response } = exchange;
    const { principal } = this.callers.resolve(request);
    const options = { request, ...(principal !== undefined && { principal }) };
    if (policy === 'continue') return use(options);
    const abort = new AbortController();
    const stop = response.onDisconnect(() => abort.abort());
    try {
      const grace = typeof policy === 'object' && policy;
      return await use({ ...options, signal: abort.signal, ...grace });
    } finally {
      stop();
    }
  }
}

/** A stream whose events cannot be read on says so, as a failed run does. */
function failureFrames(encoder: RunEncoder, runId: string, seq: number): string {
  const { code, message } = UNTOLD;
  const end = { status: 'failed', stopReason: 'error', message: '', usage: NO_USAGE } as const;
  const pendingActions: readonly PendingAction[] = [];
  const result: ChatResult = {
    ...end,
    runId,
    sessionId: '',
    toolCalls: [],
    pendingActions,
    tokensUsed: 0,
    timestamp: new Date().toISOString(),
    error: UNTOLD,
  };
  return [
    encoder.encode({ type: 'error', runId, seq: seq + 1, code, message }),
    encoder.encode({ type: 'run.finished', runId, seq: seq + 2, ...end, pendingActions }),
    encoder.close?.(result) ?? '',
  ].join('');
}
