import { Logger } from '@nestjs/common';
import type { ChatModel } from '../../model';
import { InvalidInputError } from '../request';
import type { Quotas } from '../spending';

/** The models by name. */
export class Models {
  private readonly logger = new Logger('Agent');

  constructor(
    private readonly model: ChatModel,
    private readonly models: ReadonlyMap<string, ChatModel>,
    private readonly quotas: Quotas,
  ) {}

  /** Warns at boot of models without tool support, and checks prices. */
  check(): void {
    const all = [this.model, ...this.models.values()];
    this.quotas.checkModels(all.map(({ name }) => name));
    for (const { name, capabilities } of new Set(all)) {
      if (capabilities.tools) continue;
      this.logger.warn(
        `The model "${name}" supports no tool calls, so it is offered no tools. Wrap it with react(model) to call tools in text.`,
      );
    }
  }

  /** All models by name; the default model has no name and is first. */
  list(): readonly (readonly [name: string | undefined, model: ChatModel])[] {
    return [[undefined, this.model], ...this.models];
  }

  has(name: string | undefined): boolean {
    return name === undefined || this.models.has(name);
  }

  /** @throws InvalidInputError for an unknown name */
  named(name: string | undefined): ChatModel {
    if (name === undefined) return this.model;
    const model = this.models.get(name);
    if (model !== undefined) return model;
    const known = [...this.models.keys()].map((key) => `"${key}"`).join(', ');
    throw new InvalidInputError(
      `There is no model "${name}". ${known === '' ? 'Leave' : `Choose one of ${known}, or leave`} "model" out.`,
      [],
      'model_not_found',
    );
  }
}
