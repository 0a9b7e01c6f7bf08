import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { ChatModel } from '../../model';
import { OWN_MODEL, AGENT_MODELS, InvalidInputError } from '../request';
import { Quotas } from '../spending';

/** The models by name. */
@Injectable()
export class Models implements OnApplicationBootstrap {
  private readonly logger = new Logger('Agent');

  constructor(
    @Inject(OWN_MODEL) private readonly model: ChatModel,
    @Inject(AGENT_MODELS) private readonly models: ReadonlyMap<string, ChatModel>,
    private readonly quotas: Quotas,
  ) {}

  onApplicationBootstrap(): void {
    const all = [this.model, ...this.models.values()];
    this.quotas.checkModels(all.map(({ name }) => name));
    for (const { name, capabilities } of new Set(all)) {
      if (capabilities.tools) continue;
      this.logger.warn(
        `The model "${name}" supports no tool calls, so it is offered no tools. Wrap it with react(model) to call tools in text.`,
      );
    }
  }

  /** @throws InvalidInputError for an unknown name */
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
