import type { ChatModel } from '../../model';
import { type AgentHttpOptions } from '../options';
import { OpenAiRequestError } from './openai-error';

/** The models that a client may name: the agent's name stands for the default one. */
export class OpenAiModels {
  constructor(
    private readonly model: ChatModel,
    private readonly models: ReadonlyMap<string, ChatModel>,
    private readonly options: AgentHttpOptions,
  ) {}

  get ids(): readonly string[] {
    return [...new Set([this.options.name, this.model.name, ...this.models.keys()])];
  }

  /**
   * The name in the module's `models`; `undefined` for the default model.
   *
   * @throws OpenAiRequestError 404 for any other name
   */
  choose(id: string): string | undefined {
    if (this.models.has(id)) return id;
    if (id === this.options.name || id === this.model.name) return undefined;
    throw unknownModel(id);
  }
}

export function unknownModel(id: string): OpenAiRequestError {
  return new OpenAiRequestError(
    `The model '${id}' does not exist. Name one that GET /v1/models lists.`,
    'model',
    'model_not_found',
    404,
  );
}
