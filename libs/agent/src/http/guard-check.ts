import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { ChatController } from './controllers/chat.controller';

/** Says at boot that nobody asks who uses the agent. */
@Injectable()
export class GuardCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('Agent');

  constructor(
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
  ) {}

  onApplicationBootstrap(): void {
    if (this.hasGlobalGuard() || !this.chatControllers().some(isUnguarded)) return;
    this.logger.warn(
      'No guard stands before the agent: whoever reaches the application can use its endpoints and every tool that asks for no rights itself. Set decorators: [UseGuards(…)] of AgentModule.forRoot, or a global guard.',
    );
  }

  private hasGlobalGuard(): boolean {
    return (
      this.config.getGlobalGuards().length > 0 || this.config.getGlobalRequestGuards().length > 0
    );
  }

  /** One stands for all: `decorators` go on every controller that is not public. */
  private chatControllers(): readonly object[] {
    return [...this.modules.values()]
      .flatMap((module) => [...module.controllers.values()])
      .flatMap(({ metatype }) => (isChatController(metatype) ? [metatype] : []));
  }
}

function isChatController(type: unknown): type is object {
  return typeof type === 'function' && type.prototype instanceof ChatController;
}

function isUnguarded(controller: object): boolean {
  return !Reflect.hasMetadata(GUARDS_METADATA, controller);
}
