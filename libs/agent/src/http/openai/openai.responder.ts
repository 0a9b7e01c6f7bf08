import { Inject, Injectable, Logger } from '@nestjs/common';
import { AgentService, type ChatResult, type RunHandle } from '../../run';
import { isUntold } from '../errors/error-status';
import { logFailure } from '../errors/log-failure';
import { runFailed } from '../errors/run-failed';
import { HTTP_OPTIONS } from '../http.constants';
import type { AgentHttpOptions } from '../http-options.interface';
import { RunResponder, type Exchange } from '../run.responder';
import { FrameWriter } from '../sse/frame.writer';
import type { TakenResponse } from '../wire/taken-response';
import { openAiError, openAiErrorOf } from './openai-error';
import type { CompletionRequest } from './openai-request';
import { OpenAiEncoder } from './openai.encoder';

/** Answers one request of OpenAI's protocol. */
@Injectable()
export class OpenAiResponder {
  private readonly logger = new Logger('AgentHttp');

  constructor(
    private readonly agent: AgentService,
    private readonly runs: RunResponder,
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
  ) {}

  /** Never rejects: whatever goes wrong is the answer. */
  async respond(
    exchange: Exchange,
    taken: TakenResponse,
    read: () => { readonly request: CompletionRequest; readonly model?: string },
  ): Promise<void> {
    try {
      const { request, model } = read();
      const input = { ...request.input, ...(model !== undefined && { model }) };
      // Nobody could ask for the rest of it later, so it ends with its client whatever is configured.
      await this.runs.whileConnected(
        exchange,
        async (options) => {
          const run = await this.agent.complete(input, options);
          const encoder = encoderOf(request, run.runId);
          await (request.isStream ? this.stream(run, encoder, taken) : answer(run, encoder, taken));
        },
        'cancel',
      );
    } catch (error) {
      if (isUntold(error)) logFailure(this.logger, error);
      const { status, body, retryAfter } = openAiErrorOf(error);
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      taken.json(status, openAiError(body), headers);
    }
  }

  private async stream(
    run: RunHandle,
    encoder: OpenAiEncoder,
    taken: TakenResponse,
  ): Promise<void> {
    let writer: FrameWriter | undefined;
    const open = (): FrameWriter => {
      if (writer === undefined) {
        writer = new FrameWriter(taken, this.options.sse);
        void writer.write(frameOf(encoder.opening()));
      }
      return writer;
    };
    // Until the first words a failure can still have its own status; but silence must not last.
    const patience = setTimeout(open, this.options.sse.heartbeatMs).unref();
    try {
      for await (const event of run.events()) {
        if (taken.isOver) return;
        const text = encoder.textOf(event);
        if (text !== '') await open().write(frameOf(encoder.textChunk(text)));
      }
      const result = await run.finished;
      clearTimeout(patience);
      if (result.status === 'failed' && writer === undefined) throw runFailed(result);
      for (const chunk of lastChunks(result, encoder)) await open().write(frameOf(chunk));
      await open().write('data: [DONE]\n\n');
    } finally {
      clearTimeout(patience);
      writer?.close();
    }
  }
}

async function answer(run: RunHandle, encoder: OpenAiEncoder, taken: TakenResponse): Promise<void> {
  for await (const event of run.events()) encoder.textOf(event);
  const result = await run.finished;
  if (result.status === 'failed') throw runFailed(result);
  taken.json(200, encoder.completion(result));
}

function lastChunks(result: ChatResult, encoder: OpenAiEncoder): readonly object[] {
  if (result.status !== 'failed') return encoder.closing(result);
  return [openAiError(openAiErrorOf(runFailed(result)).body)];
}

function encoderOf(request: CompletionRequest, runId: string): OpenAiEncoder {
  return new OpenAiEncoder({
    runId,
    model: request.model,
    includesUsage: request.includesUsage,
    created: Math.floor(Date.now() / 1_000),
    clientNameOf: (name) => request.clientNameOf(name),
  });
}

function frameOf(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
