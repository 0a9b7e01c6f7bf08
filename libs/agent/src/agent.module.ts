import {
  Module,
  Optional,
  type DynamicModule,
  type NestModule,
  type OnApplicationBootstrap,
  type Provider,
} from '@nestjs/common';
import {
  type AgentModuleAsyncOptions,
  type AgentModuleOptions,
  type AgentModuleStaticOptions,
  checkAsyncOptions,
  checkFactoryOptions,
  checkModuleOptions,
} from './options';
import { AGENT_OPTIONS, optionProviders } from './agent.providers';
import { DISCOVERY_PROVIDERS } from './discovery';
import { BodyParsing, CallerResolver, createAgentControllers, HTTP_PROVIDERS } from './http';
import { AUDIT_SINK, INVOCATION_PROVIDERS, ToolCallFactory, ToolLoader } from './invocation';
import { ToolRegistry } from './registry';
import { AGENT_MODEL, AgentService, RUN_PROVIDERS, SessionService } from './run';
import { SESSION_STORE } from './session';
import { BootReport } from './tool';

const EXPORTS = [
  ToolRegistry,
  ToolCallFactory,
  ToolLoader,
  AgentService,
  SessionService,
  AGENT_MODEL,
  SESSION_STORE,
  AUDIT_SINK,
  CallerResolver,
  BodyParsing,
];

/**
 * Gives an application an agent that acts as the caller, with the tools that its providers and
 * controllers are marked as.
 *
 * Other modules may inject `AgentService`, `SessionService`, `ToolRegistry`, `ToolCallFactory`,
 * `ToolLoader`, `CallerResolver` and `BodyParsing`, and what stands under `AGENT_MODEL`, `SESSION_STORE` and `AUDIT_SINK`.
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
export class AgentModule implements NestModule, OnApplicationBootstrap {
  /** @internal */
  constructor(
    @Optional() private readonly bodies?: BodyParsing,
    @Optional() private readonly report?: BootReport,
  ) {}

  /** Nest calls it between its own body parsers and the routes. @internal */
  configure(): void {
    this.bodies?.install();
  }

  /** Nest calls it after its providers' own hooks, so all doubts are in. @internal */
  onApplicationBootstrap(): void {
    this.report?.print();
  }

  /**
   * The module, with options that are known when the application is put together.
   *
   * @param options all of them have a default
   * @throws InvalidOptionsError naming every option that is unknown, or cannot have its value
   * @throws ToolDeclarationError at boot, listing every tool that is declared wrongly
   * @example
   * AgentModule.forRoot({
   *   imports: [AuthModule],
   *   decorators: [UseGuards(JwtAuthGuard)],
   *   sessions: { store: memoryStore() },
   * });
   */
  static forRoot(options: AgentModuleOptions = {}): DynamicModule {
    checkModuleOptions(options);
    return assemble(options, { provide: AGENT_OPTIONS, useValue: options });
  }

  /**
   * As `forRoot`, with options that depend on other providers. What shapes the controllers stands
   * beside the factory, since it is needed before anything is injected.
   *
   * @typeParam Dependencies the types of what `inject` names, in order
   * @param options the factory, what it is given, and what shapes the controllers
   * @throws InvalidOptionsError naming every option that is unknown, or cannot have its value; for
   *   what the factory answers, at boot
   * @throws ToolDeclarationError at boot, listing every tool that is declared wrongly
   * @example
   * AgentModule.forRootAsync({
   *   imports: [SettingsModule],
   *   inject: [Settings],
   *   useFactory: (settings: Settings) => ({ systemPrompt: settings.prompt }),
   *   decorators: [UseGuards(JwtAuthGuard)],
   * });
   */
  static forRootAsync<Dependencies extends unknown[]>(
    options: AgentModuleAsyncOptions<Dependencies>,
  ): DynamicModule {
    checkAsyncOptions(options);
    const { inject = [], useFactory } = options;
    return assemble(options, {
      provide: AGENT_OPTIONS,
      inject,
      useFactory: async (...dependencies: Dependencies) => {
        const made = await useFactory(...dependencies);
        checkFactoryOptions(made);
        return made;
      },
    });
  }
}

function assemble(options: AgentModuleStaticOptions, source: Provider): DynamicModule {
  const { imports = [], isGlobal = true } = options;
  const path = servedPath(options);
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
      ...(path === false ? [BodyParsing, CallerResolver] : HTTP_PROVIDERS),
    ],
    exports: EXPORTS,
  };
}

/** Without the slashes that Nest does not mind, so that all see the path that is served. */
function servedPath({ path = 'agent' }: AgentModuleStaticOptions): string | false {
  return path !== false && path.split('/').filter(Boolean).join('/');
}
