import {
  Module,
  Optional,
  type DynamicModule,
  type NestModule,
  type Provider,
} from '@nestjs/common';
import type {
  AgentModuleAsyncOptions,
  AgentModuleOptions,
  AgentModuleStaticOptions,
} from './agent-options';
import { AGENT_OPTIONS, optionProviders } from './agent.providers';
import { DISCOVERY_PROVIDERS } from './discovery';
import { BodyParsing, createAgentControllers, HTTP_PROVIDERS } from './http';
import { AUDIT_SINK, INVOCATION_PROVIDERS, ToolCallFactory, ToolLoader } from './invocation';
import { ToolRegistry } from './registry';
import { AGENT_MODEL, AgentService, RUN_PROVIDERS, SessionService } from './run';
import { SESSION_STORE } from './session';

const EXPORTS = [
  ToolRegistry,
  ToolCallFactory,
  ToolLoader,
  AgentService,
  SessionService,
  AGENT_MODEL,
  SESSION_STORE,
  AUDIT_SINK,
];

/**
 * Gives an application an agent that acts as the caller, with the tools that its providers and
 * controllers are marked as.
 *
 * @example
 * \@Module({
 *   imports: [
 *     AuthModule,
 *     AgentModule.forRoot({ imports: [AuthModule], decorators: [UseGuards(JwtAuthGuard)] }),
 *   ],
 * })
 * export class AppModule {}
 */
@Module({})
export class AgentModule implements NestModule {
  /** Missing where nothing is served. */
  constructor(@Optional() private readonly bodies?: BodyParsing) {}

  /** Nest calls it between its own body parsers and the routes. */
  configure(): void {
    this.bodies?.install();
  }

  /**
   * The module, with options that are known when the application is put together.
   *
   * @param options all of them have a default
   * @example
   * AgentModule.forRoot({
   *   imports: [AuthModule],
   *   decorators: [UseGuards(JwtAuthGuard)],
   *   sessions: { store: memoryStore() },
   * });
   */
  static forRoot(options: AgentModuleOptions = {}): DynamicModule {
    return assemble(options, { provide: AGENT_OPTIONS, useValue: options });
  }

  /**
   * As `forRoot`, with options that depend on other providers. What shapes the controllers stands
   * beside the factory, since it is needed before anything is injected.
   *
   * @example
   * AgentModule.forRootAsync({
   *   imports: [ConfigModule],
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({ systemPrompt: config.getOrThrow('PROMPT') }),
   * });
   */
  static forRootAsync<Dependencies extends unknown[]>(
    options: AgentModuleAsyncOptions<Dependencies>,
  ): DynamicModule {
    const { inject = [], useFactory } = options;
    return assemble(options, { provide: AGENT_OPTIONS, inject, useFactory });
  }
}

function assemble(options: AgentModuleStaticOptions, source: Provider): DynamicModule {
  const { imports = [], isGlobal = true, path = 'agent' } = options;
  return {
    module: AgentModule,
    global: isGlobal,
    imports: [...imports],
    controllers: path === false ? [] : createAgentControllers({ ...options, path }),
    providers: [
      source,
      ...optionProviders(path === false ? '' : path),
      ToolRegistry,
      ...DISCOVERY_PROVIDERS,
      ...INVOCATION_PROVIDERS,
      ...RUN_PROVIDERS,
      ...(path === false ? [] : HTTP_PROVIDERS),
    ],
    exports: EXPORTS,
  };
}
