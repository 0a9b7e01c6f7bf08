import { Inject, Injectable } from '@nestjs/common';
import type { ChatModel } from '../../model';
import { AGENT_MODEL, AGENT_MODELS, InvalidInputError } from '../request';

/** The models that a run may name. */
@Injectable()
export class Models {
  constructor(
    @Inject(AGENT_MODEL) private readonly model: ChatModel,
    @Inject(AGENT_MODELS) private readonly models: ReadonlyMap<string, ChatModel>,
  ) {}

  /** The default model, or one that the module's options name. @throws InvalidInputError */
  named(name: string | undefined): ChatModel {
    if (name === undefined) return this.model;
    const model = this.models.get(name);
    if (model !== undefined) return model;
    const known = [...this.models.keys()].map((key) => `"${key}"`).join(', ');
    throw new InvalidInputError(
      `There is no model "${name}". ${known === '' ? '' : `Choose one of ${known}, or `}leave "model" out.`,
      [],
      'model_not_found',
    );
  }
}
