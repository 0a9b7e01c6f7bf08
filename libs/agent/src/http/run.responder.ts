import { Inject, Injectable, Logger } from '@nestjs/common';
import { batchesOf, NO_USAGE, type AgentEvent } from '../message';
import { ShuttingDownError, type ChatResult, type RunHandle, type StartOptions } from '../run';
import { CallerResolver } from './caller';
import type { Exchange } from './endpoint';
import { logFailure, runFailed } from './errors';
import { HTTP_OPTIONS } from './http.constants';
import type { AgentHttpOptions } from './http-options.interface';
import { FrameWriter, SSE_RETRY, sseFrame } from './sse';
import type { TakenResponse } from './wire';

/** Carries a run to the client that asked for it. */
@Injectable()
export class RunResponder {
  private readonly logger = new Logger('AgentHttp');

  constructor(
    private readonly callers: CallerResolver,
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
  ) {}

  /** Waits for the run. @throws HttpException where it failed */
  answer(
    exchange: Exchange,
    start: (options: StartOptions) => Promise<RunHandle | ChatResult>,
  ): Promise<ChatResult> {
    return this.whileConnected(exchange, async (options) => {
      const started = await start({ ...options, frontend: 'park' });
      const result = 'finished' in started ? await started.finished : started;
      if (result.status === 'failed') throw runFailed(result);
      return result;
    });
  }

  /** Streams the run's events as Server-Sent Events. Rejects only before the stream has begun. */
  stream(
    exchange: Exchange,
    start: (options: StartOptions) => Promise<Pick<RunHandle, 'runId' | 'events'>>,
  ): Promise<void> {
    return this.whileConnected(exchange, async (options) => {
      const run = await start({ ...options, frontend: 'wait' });
      await this.relay(exchange.response, run.runId, run.events());
    });
  }

  /**
   * Writes events as Server-Sent Events to their end. A run that goes on elsewhere while this
   * process closes is not over: its reader is to come back.
   */
  async relay(
    response: TakenResponse,
    runId: string,
    events: AsyncIterable<AgentEvent>,
  ): Promise<void> {
    const writer = new FrameWriter(response, this.options.sse);
    let seq = 0;
    try {
      reading: for await (const batch of batchesOf(events)) {
        for (const event of batch) {
          if (writer.isOver) break reading;
          seq = event.seq;
          const caughtUp = writer.write(sseFrame(event));
          if (caughtUp) await caughtUp;
        }
      }
    } catch (error) {
      if (error instanceof ShuttingDownError) {
        await writer.write(SSE_RETRY);
        return;
      }
      logFailure(this.logger, error);
      for (const event of failureEvents(runId, seq)) await writer.write(sseFrame(event));
    } finally {
      writer.close();
    }
  }

  /** The client's going away cancels what `use` started, until `use` is done or if so configured. */
  async whileConnected<T>(
    { request, response }: Exchange,
    use: (options: StartOptions) => Promise<T>,
    policy = this.options.onDisconnect,
  ): Promise<T> {
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

/** How a stream ends whose events cannot be read on: said, not silent. */
function failureEvents(runId: string, seq: number): readonly AgentEvent[] {
  return [
    { type: 'error', runId, seq: seq + 1, code: 'internal_error', message: 'The agent failed.' },
    {
      type: 'run.finished',
      runId,
      seq: seq + 2,
      status: 'failed',
      stopReason: 'error',
      message: '',
      usage: NO_USAGE,
      pendingActions: [],
    },
  ];
}
