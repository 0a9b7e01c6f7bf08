import { Inject, Injectable } from '@nestjs/common';
import { AgentService, type ChatResult, type RunHandle } from '../../run';
import type { Exchange } from '../endpoint';
import { runFailed } from '../errors';
import { HTTP_OPTIONS } from '../http.constants';
import type { AgentHttpOptions } from '../http-options.interface';
import { RunResponder } from '../run.responder';
import { FrameWriter } from '../sse';
import type { TakenResponse } from '../wire';
import { openAiFailureOf } from './openai-error';
import type { CompletionRequest } from './openai-request';
import { OpenAiEncoder } from './openai.encoder';

/** Answers one request of OpenAI's protocol. */
@Injectable()
export class OpenAiResponder {
  constructor(
    private readonly agent: AgentService,
    private readonly runs: RunResponder,
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
  ) {}

  /** The whole answer, or nothing where it has been streamed. Rejects only before a stream begins. */
  async respond(
    exchange: Exchange,
    request: CompletionRequest,
    model: string | undefined,
  ): Promise<object | undefined> {
    const input = { ...request.input, ...(model !== undefined && { model }) };
    // Nobody could ask for the rest of it later, so it ends with its client whatever is configured.
    return this.runs.whileConnected(
      exchange,
      async (options) => {
        const run = await this.agent.complete(input, options);
        const encoder = encoderOf(request, run.runId);
        if (!request.isStream) return completionOf(run, encoder);
        await this.stream(run, encoder, exchange.response);
        return undefined;
      },
      'cancel',
    );
  }

  private async stream(
    run: RunHandle,
    encoder: OpenAiEncoder,
    response: TakenResponse,
  ): Promise<void> {
    let writer: FrameWriter | undefined;
    const open = (): FrameWriter => {
      if (writer === undefined) {
        writer = new FrameWriter(response, this.options.sse);
        void writer.write(frameOf(encoder.opening()));
      }
      return writer;
    };
    // Until the first words a failure can still have its own status; but silence must not last.
    const patience = setTimeout(open, this.options.sse.heartbeatMs).unref();
    try {
      for await (const event of run.events()) {
        if (response.isOver) return;
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

async function completionOf(run: RunHandle, encoder: OpenAiEncoder): Promise<object> {
  for await (const event of run.events()) encoder.textOf(event);
  const result = await run.finished;
  if (result.status === 'failed') throw runFailed(result);
  return encoder.completion(result);
}

function lastChunks(result: ChatResult, encoder: OpenAiEncoder): readonly object[] {
  if (result.status !== 'failed') return encoder.closing(result);
  return [openAiFailureOf(runFailed(result)).body];
}

function encoderOf(request: CompletionRequest, runId: string): OpenAiEncoder {
  return new OpenAiEncoder({
    runId,
    model: request.model,
    isJson: request.input.settings?.responseFormat !== undefined,
    includesUsage: request.includesUsage,
    created: Math.floor(Date.now() / 1_000),
    clientNameOf: (name) => request.clientNameOf(name),
  });
}

function frameOf(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
