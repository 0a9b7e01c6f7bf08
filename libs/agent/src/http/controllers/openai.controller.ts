import { Get, Inject, Injectable, Post } from '@nestjs/common';
import type { ContentBlock, Message } from '../../message';
import { AgentService, type ChatOptions, type RunHandle } from '../../run';
import {
  CHUNKS,
  CompletionDto,
  CompletionRequestDto,
  Documented,
  ModelDto,
  ModelListDto,
  OpenAiErrorDto,
} from '../answers';
import { checkRest, readJsonBody } from '../body';
import type { Exchange } from '../endpoint';
import { runFailed } from '../errors';
import { type AgentHttpOptions, HTTP_OPTIONS } from '../options';
import { RunResponder } from '../sse';
import {
  type CompletionRequest,
  completionRequestOf,
  OpenAiEncoder,
  OpenAiEndpoint,
  OpenAiModels,
  unknownModel,
} from '../openai';

/** OpenAI's protocol, its errors included. */
@Injectable()
export class OpenAiController {
  private readonly startedAt = Math.floor(Date.now() / 1_000);

  constructor(
    private readonly agent: AgentService,
    private readonly responder: RunResponder,
    private readonly models: OpenAiModels,
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
  ) {}

  @Post('v1/chat/completions')
  @Documented({
    summary: "OpenAI's Chat Completions, answered by the agent",
    body: CompletionRequestDto,
    answer: CompletionDto,
    stream: CHUNKS,
    error: OpenAiErrorDto,
  })
  @OpenAiEndpoint()
  async complete(exchange: Exchange): Promise<object | undefined> {
    const request = completionRequestOf(readJsonBody(exchange.request), this.options.limits);
    checkRest(exchange.request, partsOf(request.input.messages), this.options.limits.uiBodyBytes);
    const model = this.models.choose(request.model);
    const input = { ...request.input, ...(model !== undefined && { model }) };
    const start = (options: ChatOptions): Promise<RunHandle> => this.agent.complete(input, options);
    const encoderFor = (run: RunHandle): OpenAiEncoder => encoderOf(request, run);
    // The rest of the answer cannot be requested later, so the run ends with its client, whatever
    // the configuration.
    const onDisconnect = 'cancel';
    if (!request.isStream) {
      const answer = async (options: ChatOptions): Promise<object> => {
        const run = await start(options);
        return completionOf(run, encoderFor(run));
      };
      return this.responder.whileConnected(exchange, answer, onDisconnect);
    }
    await this.responder.stream(exchange, start, { encoderFor, onDisconnect });
    return undefined;
  }

  @Get('v1/models')
  @Documented({
    summary: 'The models that a completion may name',
    answer: ModelListDto,
    error: OpenAiErrorDto,
  })
  @OpenAiEndpoint()
  list(): ModelListDto {
    return { object: 'list', data: this.entries() };
  }

  @Get('v1/models/:model')
  @Documented({
    summary: 'One of the models that a completion may name',
    params: { model: 'The model' },
    answer: ModelDto,
    error: OpenAiErrorDto,
  })
  @OpenAiEndpoint()
  retrieve({ params: { model = '' } }: Exchange): ModelDto {
    const entry = this.entries().find(({ id }) => id === model);
    if (entry === undefined) throw unknownModel(model);
    return entry;
  }

  private entries(): readonly ModelDto[] {
    return this.models.ids.map((id) => ({
      id,
      object: 'model',
      created: this.startedAt,
      owned_by: this.options.name,
    }));
  }
}

/** The content blocks of all messages, including results. */
function partsOf(messages: readonly Message[]): readonly ContentBlock[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block): readonly ContentBlock[] =>
      block.type === 'tool_result' && typeof block.content !== 'string' ? block.content : [block],
    ),
  );
}

async function completionOf(run: RunHandle, encoder: OpenAiEncoder): Promise<object> {
  for await (const event of run.events()) encoder.encode(event);
  const result = await run.finished;
  if (result.status === 'failed') throw runFailed(result);
  return encoder.completion(result);
}

function encoderOf(request: CompletionRequest, { runId }: RunHandle): OpenAiEncoder {
  return new OpenAiEncoder({
    runId,
    model: request.model,
    isJson: request.input.settings?.responseFormat !== undefined,
    includesUsage: request.includesUsage,
    created: Math.floor(Date.now() / 1_000),
    clientNameOf: (name) => request.clientNameOf(name),
  });
}
