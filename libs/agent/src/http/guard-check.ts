import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { globalGuardsOf } from '../invocation';
import { chatControllersOf } from './controllers';

/** Warns at boot if no guard protects the agent's endpoints. */
@Injectable()
export class GuardCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('Agent');

  constructor(
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
  ) {}

  onApplicationBootstrap(): void {
    if (this.hasGlobalGuard() || !chatControllersOf(this.modules).some(isUnguarded)) return;
    this.logger.warn(
      'No guard stands before the agent: whoever reaches the application can use its endpoints and every tool that asks for no rights itself. Set decorators: [UseGuards(…)] of AgentModule.forRoot, or a global guard.',
    );
  }

  private hasGlobalGuard(): boolean {
    return (
      globalGuardsOf(this.config).length > 0 || this.config.getGlobalRequestGuards().length > 0
    );
  }
}

function isUnguarded(controller: object): boolean {
  return !Reflect.hasMetadata(GUARDS_METADATA, controller);
}
