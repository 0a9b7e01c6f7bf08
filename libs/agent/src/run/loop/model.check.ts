import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { ChatModel } from '../../model';
import { AGENT_MODEL, AGENT_MODELS } from '../request';

/** Says at boot which models will be offered no tools. */
@Injectable()
export class ModelCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('Agent');

  constructor(
    @Inject(AGENT_MODEL) private readonly model: ChatModel,
    @Inject(AGENT_MODELS) private readonly models: ReadonlyMap<string, ChatModel>,
  ) {}

  onApplicationBootstrap(): void {
    for (const model of new Set([this.model, ...this.models.values()])) {
      if (callsTools(model)) continue;
      this.logger.warn(
        `The model "${model.name}" says that it calls no tools, so it is offered none. Wrap it, react(model), to have it call them in text.`,
      );
    }
  }
}

export function callsTools({ capabilities }: ChatModel): boolean {
  return capabilities.tools;
}
