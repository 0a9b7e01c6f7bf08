import { Inject, Injectable, Optional } from '@nestjs/common';
import { batchesOf, NO_USAGE, type AgentEvent, type PendingAction } from '../../message';
import {
  ShuttingDownError,
  INTERNAL_FAILURE,
  type ChatResult,
  type RunHandle,
  type StartOptions,
} from '../../run';
import { Telemetry } from '../../telemetry';
import { CallerResolver } from '../caller';
import type { Exchange } from '../endpoint';
import { logFailure, runFailed, reportsEffect } from '../errors';
import { type AgentHttpOptions, type DisconnectPolicy, HTTP_OPTIONS } from '../options';
import type { RunEncoder } from './run.encoder';
import { FrameWriter } from './frame.writer';
import { relayedRun } from './relayed-run';
import { eventEncoder, SSE_RETRY } from './sse.encoder';
import { type TakenResponse, whileConnected } from '../wire';

/** The streaming settings of one protocol. */
export interface StreamProtocol {
  /** The encoder of one stream. */
  readonly encoderFor?: (run: RunHandle) => RunEncoder;
  /** The handling of the run after its client disconnects. */
  readonly onDisconnect?: DisconnectPolicy;
}

/** A run to relay: a `RunHandle`, or events of a run in another process. */
export interface RelayedRun {
  /** The run's id. */
  readonly runId: string;
  /** The events to send, up to the run's end. */
  readonly events: AsyncIterable<AgentEvent>;
  /** The result, for protocols that send it at the end; missing if there is none to send. */
  readonly finished?: Promise<ChatResult>;
}

/**
 * Sends a run to its client: whole, or streamed in the client's protocol.
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
  /** @internal */
  constructor(
    private readonly callers: CallerResolver,
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
    @Optional() private readonly telemetry: Telemetry = new Telemetry(),
  ) {}

  /**
   * Waits for the run and answers with its result.
   *
   * @param exchange the request and its answer
   * @param start starts or continues the run on behalf of the caller
   * @throws HttpException if the run failed
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
   * Streams a run in its client's protocol. Rejects only before the stream has begun.
   *
   * @param exchange the request and its answer
   * @param start starts or continues the run on behalf of the caller
   * @param protocol the streaming settings; by default the library's own events and the module's
   *   `onDisconnect`
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
        await this.relay(exchange.response, relayedRun(run), encoderFor(run));
      },
      onDisconnect,
    );
  }

  /**
   * Writes all events of a run. If this process closes while the run continues in another one, the
   * run is not over and its reader should reconnect.
   *
   * @param response the response to write to
   * @param run the run's id, its events, and its result if the protocol sends it
   * @param encoder the protocol's encoder; the library's own events by default
   */
  async relay(
    response: TakenResponse,
    run: RelayedRun,
    encoder: RunEncoder = eventEncoder,
  ): Promise<void> {
    const { runId, events } = run;
    const { sse } = this.options;
    const stream = new FrameWriter(response, sse, encoder.headers, () => encoder.open?.() ?? '');
    if (encoder.open === undefined) stream.open();
    else stream.openAfter(sse.heartbeatMs);
    let seq = 0;
    let hadEffects = false;
    this.telemetry.measure(() => ({ type: 'stream.opened' }));
    try {
      for await (const batch of batchesOf(events)) {
        for (const event of batch) {
          if (response.isOver) return;
          seq = event.seq;
          hadEffects ||= reportsEffect(event);
          const caughtUp = stream.write(encoder.encode(event));
          if (caughtUp) await caughtUp;
        }
      }
      const finished = encoder.close && run.finished;
      if (finished === undefined || encoder.close === undefined) return;
      const result = await finished;
      if (result.status === 'failed' && !stream.isOpen) throw runFailed(result, hadEffects);
      await stream.write(encoder.close(result));
    } catch (error) {
      if (!stream.isOpen) throw error;
      const isClosing = error instanceof ShuttingDownError;
      if (!isClosing) logFailure(error);
      const isResumed = isClosing || encoder.resumes === true;
      await stream.write(isResumed ? SSE_RETRY : failureFrames(encoder, runId, seq));
    } finally {
      stream.close();
      this.telemetry.measure(() => ({ type: 'stream.closed' }));
    }
  }

  /**
   * Calls `use` with the caller's options. If the client disconnects meanwhile, their signal is
   * aborted according to the policy.
   *
   * @param exchange the request and its answer
   * @param use starts the work that ends with the client
   * @param policy the module's `onDisconnect` by default
   */
  async whileConnected<T>(
    exchange: Exchange,
    use: (options: StartOptions) => Promise<T>,
    policy: DisconnectPolicy = this.options.onDisconnect,
  ): Promise<T> {
    const { request, response } = exchange;
    const options = this.callers.resolve(request);
    if (policy === 'continue') return use(options);
    const grace = typeof policy === 'object' && policy;
    return whileConnected(response, (signal) => use({ ...options, signal, ...grace }));
  }
}

/** Reports a stream whose events can no longer be read, in the form of a failed run. */
function failureFrames(encoder: RunEncoder, runId: string, seq: number): string {
  const { code, message } = INTERNAL_FAILURE;
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
    error: INTERNAL_FAILURE,
  };
  return [
    encoder.encode({ type: 'error', runId, seq: seq + 1, code, message }),
    encoder.encode({ type: 'run.finished', runId, seq: seq + 2, ...end, pendingActions }),
    encoder.close?.(result) ?? '',
  ].join('');
}
