import {
  Inject,
  Module,
  Optional,
  type DynamicModule,
  type NestModule,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { EndpointSetup } from './http';
import type {
  AgentModuleAsyncOptions,
  AgentModuleFeatureAsyncOptions,
  AgentModuleFeatureOptions,
  AgentModuleOptions,
} from './options';
import { BootReport } from './tool';

/** Token of the `EndpointSetup`, whose class is not loaded with the package. */
export const ENDPOINT_SETUP = Symbol('nestjs-agent:endpoint-setup');

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
    @Optional() @Inject(ENDPOINT_SETUP) private readonly endpoints?: EndpointSetup,
    @Optional() private readonly report?: BootReport,
  ) {}

  /** Nest calls it between its own body parsers and the routes. */
  configure(): void {
    this.endpoints?.run();
  }

  /** Nest calls it after its providers' own hooks, so all doubts are in. */
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
    return assembly().moduleOf(AgentModule, options);
  }

  /**
   * As `forRoot`, with options that depend on other providers: from a factory, or from a class with
   * `createAgentOptions()` that Nest makes (`useClass`) or has already (`useExisting`). What shapes
   * the controllers stands beside it, since it is needed before anything is injected.
   *
   * @typeParam Dependencies the types of what `inject` names, in order
   * @param options where the options come from, and what shapes the controllers
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
    return assembly().asyncModuleOf(AgentModule, options);
  }

  /**
   * A further agent of the application, with tools, endpoints, guards and sessions of its own. It
   * shares the store, the tools and the pipeline of the `forRoot` module, which must be global, as
   * it is by default.
   *
   * @param options its name, and how it differs from the application's own agent
   * @throws InvalidOptionsError naming every option that is unknown, or cannot have its value
   * @example
   * AgentModule.forFeature({
   *   name: 'support',
   *   decorators: [UseGuards(JwtAuthGuard)],
   *   systemPrompt: 'You help the support staff.',
   *   tools: { include: ['orders_*'] },
   * });
   */
  static forFeature(options: AgentModuleFeatureOptions): DynamicModule {
    return feature().featureOf(options);
  }

  /**
   * As `forFeature`, with options that depend on other providers: from a factory, or from a class
   * with `createAgentOptions()`. The name and what shapes the controllers stand beside it.
   *
   * @typeParam Dependencies the types of what `inject` names, in order
   * @param options where the options come from, and what shapes the controllers
   * @throws InvalidOptionsError naming every option that is unknown, or cannot have its value; for
   *   what the factory answers, at boot
   * @example
   * AgentModule.forFeatureAsync({
   *   name: 'support',
   *   inject: [Settings],
   *   useFactory: (settings: Settings) => ({ systemPrompt: settings.prompt }),
   * });
   */
  static forFeatureAsync<Dependencies extends unknown[]>(
    options: AgentModuleFeatureAsyncOptions<Dependencies>,
  ): DynamicModule {
    return feature().asyncFeatureOf(options);
  }
}

/**
 * Loaded with the first agent, not with the package: an application also imports this file in
 * processes and tests that make none.
 */
function assembly(): typeof import('./agent.assembly') {
  return require('./agent.assembly') as typeof import('./agent.assembly');
}

/** As `assembly`, with the first further agent. */
function feature(): typeof import('./agent.feature') {
  return require('./agent.feature') as typeof import('./agent.feature');
}
