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
import { AgentError, BootReport } from './tool';

/** Token of the `EndpointSetup`, whose class is not loaded with the package. */
export const ENDPOINT_SETUP = Symbol('nestjs-agent:endpoint-setup');

/**
 * Gives an application an agent that acts as the caller. Its tools are the decorated methods of the
 * application's providers and controllers.
 *
 * Other modules may inject `AgentService`, `SessionService`, `ToolRegistry`, `ToolCallFactory`,
 * `ToolLoader`, `CallerResolver` and `BodyParsing`, and the providers of the tokens `AGENT_MODEL`,
 * `SESSION_STORE` and `AUDIT_SINK`.
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
  private readonly report: BootReport;

  /** @internal */
  constructor(
    @Optional() @Inject(ENDPOINT_SETUP) private readonly endpoints?: EndpointSetup,
    @Optional() report?: BootReport,
  ) {
    // A module with options provides it, and by default to every other module.
    if (report === undefined)
      throw new AgentError(
        'invalid_options',
        "AgentModule is imported without its options. Import AgentModule.forRoot() in the application's module instead, or, with isGlobal: false, the module that exports it.",
      );
    this.report = report;
  }

  /** Nest calls it between its own body parsers and the routes. */
  configure(): void {
    this.endpoints?.run();
  }

  /** Nest calls it after its providers' own hooks, so the boot report is complete. */
  onApplicationBootstrap(): void {
    this.report.print();
  }

  /**
   * The module, with its options as a value.
   *
   * @param options each option has a default
   * @throws InvalidOptionsError listing every unknown option and every invalid value
   * @throws ToolDeclarationError at boot, listing every wrong tool declaration
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
   * `createAgentOptions()` that Nest instantiates (`useClass`) or already provides (`useExisting`).
   * The options of the controllers stand beside the factory: Nest needs them before it injects
   * anything.
   *
   * @typeParam Dependencies the types of the providers in `inject`, in order
   * @param options the source of the options, and the options of the controllers
   * @throws InvalidOptionsError listing every unknown option and every invalid value; for the
   *   factory's result, at boot
   * @throws ToolDeclarationError at boot, listing every wrong tool declaration
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
   * @param options its name, and its differences from the application's own agent
   * @throws InvalidOptionsError listing every unknown option and every invalid value
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
   * with `createAgentOptions()`. The name and the options of the controllers stand beside the
   * factory.
   *
   * @typeParam Dependencies the types of the providers in `inject`, in order
   * @param options the source of the options, and the options of the controllers
   * @throws InvalidOptionsError listing every unknown option and every invalid value; for the
   *   factory's result, at boot
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
