import { Get, Injectable, Post } from '@nestjs/common';
import { type RunHandle, type StartOptions } from '../../run';
import { CHUNKS, CompletionDto, CompletionRequestDto, ModelDto, ModelListDto } from '../answers';
import { checkRest, readJsonBody } from '../body';
import type { Exchange } from '../endpoint';
import {
  answerOpenAi,
  blocksIn,
  type CompletionRequest,
  completionRequestOf,
  type OpenAiAnswer,
  OpenAiEncoder,
  OpenAiEndpoint,
  secondsNow,
  unknownModel,
} from '../openai';
import { EndpointServices } from './endpoint-services';

/** OpenAI's protocol, its errors included. */
@Injectable()
export class OpenAiController {
  private readonly startedAt = secondsNow();

  constructor(private readonly services: EndpointServices) {}

  @Post('v1/chat/completions')
  @OpenAiEndpoint({
    summary: "OpenAI's Chat Completions, answered by the agent",
    body: CompletionRequestDto,
    answer: CompletionDto,
    stream: CHUNKS,
  })
  async complete(exchange: Exchange): Promise<object | undefined> {
    const request = completionRequestOf(
      readJsonBody(exchange.request),
      this.services.options.limits,
    );
    checkRest(
      exchange.request,
      blocksIn(request.input.messages),
      this.services.options.limits.uiBodyBytes,
    );
    const model = this.services.openAiModels.choose(request.model);
    const input = { ...request.input, ...(model !== undefined && { model }) };
    const begin = async (options: StartOptions): Promise<OpenAiAnswer> => {
      const run = await this.services.agent.complete(input, options);
      return { run, encoder: encoderOf(request, run) };
    };
    // The rest of the answer cannot be requested later, so the run always ends with its client.
    const { isStream } = request;
    return answerOpenAi(this.services.responder, exchange, begin, {
      isStream,
      onDisconnect: 'cancel',
    });
  }

  @Get('v1/models')
  @OpenAiEndpoint({ summary: 'The models that a completion may name', answer: ModelListDto })
  list(): object {
    return { object: 'list', data: this.entries() };
  }

  @Get('v1/models/:model')
  @OpenAiEndpoint({
    summary: 'One of the models that a completion may name',
    params: { model: 'The model' },
    answer: ModelDto,
  })
  retrieve({ params: { model = '' } }: Exchange): object {
    const entry = this.entries().find(({ id }) => id === model);
    if (entry === undefined) throw unknownModel(model);
    return entry;
  }

  private entries() {
    return this.services.openAiModels.ids.map((id) => ({
      id,
      object: 'model',
      created: this.startedAt,
      owned_by: this.services.options.name,
    }));
  }
}

function encoderOf(request: CompletionRequest, { runId }: RunHandle): OpenAiEncoder {
  return new OpenAiEncoder({
    runId,
    model: request.model,
    isJson: request.input.settings?.responseFormat !== undefined,
    includesUsage: request.includesUsage,
    created: secondsNow(),
    clientNameOf: request.clientNameOf,
  });
}
