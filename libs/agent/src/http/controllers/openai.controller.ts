import {
  Get,
  HttpCode,
  Inject,
  Injectable,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
} from '@nestjs/common';
import type { ChatModel } from '../../model';
import { AGENT_MODEL, AGENT_MODELS } from '../../run';
import { readJsonBody } from '../body/json-body';
import { Documented } from '../documented.decorator';
import { HTTP_OPTIONS } from '../http.constants';
import type { AgentHttpOptions } from '../http-options.interface';
import { NeverCached } from '../never-cached.decorator';
import { OpenAiErrorFilter } from '../openai/openai-error.filter';
import { openAiError, openAiErrorOf, OpenAiRequestError } from '../openai/openai-error';
import { completionRequestOf } from '../openai/openai-request';
import { OpenAiResponder } from '../openai/openai.responder';
import { TakenResponse } from '../wire/taken-response';

interface ModelEntry {
  readonly id: string;
  readonly object: 'model';
  readonly created: number;
  readonly owned_by: string;
}

/**
 * OpenAI's protocol. It takes the response out of the framework's hands at once: a client of
 * OpenAI's must not meet the application's own envelope.
 */
@NeverCached()
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
  @HttpCode(200)
  @UseFilters(OpenAiErrorFilter)
  @Documented({
    summary: "OpenAI's Chat Completions, answered by the agent",
    produces: ['application/json', 'text/event-stream'],
  })
  async complete(@Req() request: unknown, @Res() response: unknown): Promise<void> {
    const taken = new TakenResponse(response);
    await this.responder.respond({ request, response }, taken, () => {
      const completion = completionRequestOf(readJsonBody(request), this.options.limits);
      const model = this.choose(completion.model);
      return { request: completion, ...(model !== undefined && { model }) };
    });
  }

  @Get('v1/models')
  @UseFilters(OpenAiErrorFilter)
  @Documented({ summary: 'The models that a completion may name' })
  list(@Res() response: unknown): void {
    new TakenResponse(response).json(200, { object: 'list', data: this.entries() });
  }

  @Get('v1/models/:model')
  @UseFilters(OpenAiErrorFilter)
  @Documented({ summary: 'One of the models that a completion may name' })
  retrieve(@Param('model') id: string, @Res() response: unknown): void {
    const taken = new TakenResponse(response);
    const entry = this.entries().find((each) => each.id === id);
    if (entry !== undefined) {
      taken.json(200, entry);
      return;
    }
    const { status, body } = openAiErrorOf(unknownModel(id));
    taken.json(status, openAiError(body));
  }

  /** The name in the module's `models`; `undefined` for the default one. */
  private choose(id: string): string | undefined {
    if (this.models.has(id)) return id;
    if (id === this.options.name || id === this.model.name) return undefined;
    throw unknownModel(id);
  }

  private entries(): readonly ModelEntry[] {
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
