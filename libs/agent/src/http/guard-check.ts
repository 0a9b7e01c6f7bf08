import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { warnOnce } from '../internal';
import { hasCallerGuard } from '../invocation';
import { agentControllersOf } from './controllers';

/** Warns at boot if no guard checks the callers of an agent's endpoints. */
@Injectable()
export class GuardCheck implements OnApplicationBootstrap {
  constructor(
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    // A microservice or a standalone context serves no endpoints.
    if (!this.adapterHost.httpAdapter) return;
    const unguarded = agentControllersOf(this.modules)
      .filter(({ host }) => !hasCallerGuard(this.config, host))
      .map(({ agent }) => agent);
    if (unguarded.includes(undefined)) this.warn('the agent', 'forRoot');
    const named = unguarded.filter((name) => name !== undefined).map((name) => `"${name}"`);
    if (named.length === 0) return;
    this.warn(`the agent${named.length > 1 ? 's' : ''} ${named.join(', ')}`, 'forFeature');
  }

  private warn(agents: string, method: 'forRoot' | 'forFeature'): void {
    warnOnce(
      this.modules,
      new Logger('Agent'),
      `No guard checks who calls ${agents}: every client can use the endpoints, and the tools that check no rights of their own. Set decorators: [UseGuards(…)] of AgentModule.${method}, or a global guard.`,
    );
  }
}
