import { Get, Inject, Injectable, Post } from '@nestjs/common';
import type { ChatModel } from '../../model';
import { AGENT_MODEL, AGENT_MODELS } from '../../run';
import {
  CHUNKS,
  CompletionDto,
  CompletionRequestDto,
  Documented,
  ModelDto,
  ModelListDto,
  OpenAiErrorDto,
} from '../answers';
import { readJsonBody } from '../body';
import type { Exchange } from '../endpoint';
import { HTTP_OPTIONS } from '../http.constants';
import type { AgentHttpOptions } from '../http-options.interface';
import {
  completionRequestOf,
  OpenAiEndpoint,
  OpenAiRequestError,
  OpenAiResponder,
} from '../openai';

/** OpenAI's protocol, its errors included. */
@Injectable()
export class OpenAiController {
  private readonly startedAt = Math.floor(Date.now() / 1_000);

  constructor(
    private readonly responder: OpenAiResponder,
    @Inject(AGENT_MODEL) private readonly model: ChatModel,
    @Inject(AGENT_MODELS) private readonly models: ReadonlyMap<string, ChatModel>,
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
    return this.responder.respond(exchange, request, this.choose(request.model));
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

  /** The name in the module's `models`; `undefined` for the default one. */
  private choose(id: string): string | undefined {
    if (this.models.has(id)) return id;
    if (id === this.options.name || id === this.model.name) return undefined;
    throw unknownModel(id);
  }

  private entries(): readonly ModelDto[] {
    const ids = new Set([this.options.name, this.model.name, ...this.models.keys()]);
    return [...ids].map((id) => ({
      id,
      object: 'model',
      created: this.startedAt,
      owned_by: this.options.name,
    }));
  }
}

function unknownModel(id: string): OpenAiRequestError {
  return new OpenAiRequestError(
    `The model '${id}' does not exist or you do not have access to it.`,
    'model',
    'model_not_found',
    404,
  );
}
