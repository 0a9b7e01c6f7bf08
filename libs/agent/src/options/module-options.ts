import type { ControllerOptions, FactoryProvider, ModuleMetadata, Type } from '@nestjs/common';
import type { ProtocolOptions, WorkbenchOptions } from '../http/options';
import type { AgentOptions } from './agent-options';

/**
 * Options of the controllers and the module itself, which Nest needs before it injects anything.
 *
 * @example
 * const options: AgentModuleStaticOptions = {
 *   path: 'assistant',
 *   imports: [AuthModule],
 *   decorators: [UseGuards(JwtAuthGuard)],
 * };
 */
export interface AgentModuleStaticOptions {
  /**
   * The path of the endpoints, below the application's global prefix; `agent` by default. `false`
   * serves nothing.
   */
  readonly path?: string | false;
  /**
   * The version of the endpoints where the application has versions: `'1'`, or a list of several. By
   * default they have none, so that a browser reaches the page with every kind of versioning and every
   * `defaultVersion`.
   */
  readonly version?: ControllerOptions['version'];
  /**
   * Modules that export the dependencies of guards among `decorators` and of classes among the
   * options; none by default.
   */
  readonly imports?: ModuleMetadata['imports'];
  /**
   * Class decorators for every controller of the agent, such as `UseGuards(JwtAuthGuard)`; none by
   * default, with a warning at boot if no guard protects the endpoints. Metadata that they set, such
   * as roles, is on each handler too, for guards that read it there. Cast your own decorator if it is
   * typed for methods: `Auth('admin') as ClassDecorator`.
   */
  readonly decorators?: readonly ClassDecorator[];
  /**
   * Class decorators for the page, the widget and `/health`, which `decorators` do not touch; none
   * by default.
   */
  readonly publicDecorators?: readonly ClassDecorator[];
  /** The protocols of front-ends that are served besides the agent's own; all of them by default. */
  readonly protocols?: ProtocolOptions;
  /**
   * The workbench at `<path>/workbench`, for developers: the tools on offer, calls by hand, and the
   * caller's runs. `'development'` serves it unless `NODE_ENV` is `production`; an object also decides
   * which callers see all tools, and names a file of evaluations. Off by default. The setting applies
   * to further agents too.
   *
   * @experimental
   */
  readonly workbench?: boolean | 'development' | WorkbenchOptions;
  /**
   * `false` for an application without an agent of its own: no endpoints and no `AgentService` by
   * type, only the agents of `AgentModule.forFeature`.
   */
  readonly agent?: boolean;
  /** Whether every module may inject the agent's services; `true` by default. */
  readonly isGlobal?: boolean;
}

/**
 * Options of `AgentModule.forRoot`.
 *
 * @example
 * const options: AgentModuleOptions = {
 *   imports: [AuthModule],
 *   decorators: [UseGuards(JwtAuthGuard)],
 *   model: openai(),
 *   maxSteps: 8,
 * };
 */
export interface AgentModuleOptions extends AgentOptions, AgentModuleStaticOptions {}

/**
 * Creates the agent's options, for `useClass` and `useExisting` of `AgentModule.forRootAsync`.
 *
 * @example
 * \@Injectable()
 * export class AgentSettings implements AgentOptionsFactory {
 *   constructor(private readonly config: Settings) {}
 *
 *   createAgentOptions(): AgentOptions {
 *     return { systemPrompt: this.config.prompt };
 *   }
 * }
 */
export interface AgentOptionsFactory {
  /** The options, except those beside `useClass` or `useExisting`. */
  createAgentOptions(): AgentOptions | Promise<AgentOptions>;
}

/**
 * Options of `AgentModule.forRootAsync`, with one of `useFactory`, `useClass` and `useExisting`.
 *
 * @typeParam Dependencies the types of the providers in `inject`, in order
 * @example
 * const options: AgentModuleAsyncOptions<[Settings]> = {
 *   imports: [SettingsModule],
 *   inject: [Settings],
 *   useFactory: (settings) => ({ systemPrompt: settings.prompt }),
 * };
 */
export interface AgentModuleAsyncOptions<
  Dependencies extends unknown[] = never[],
> extends AgentModuleStaticOptions {
  /** The tokens of the factory's arguments; none by default. */
  readonly inject?: FactoryProvider['inject'];
  /** Creates the options, except those of the controllers, which stand beside it. */
  readonly useFactory?: (...dependencies: Dependencies) => AgentOptions | Promise<AgentOptions>;
  /** A class that Nest instantiates in the agent's module; it creates the options. */
  readonly useClass?: Type<AgentOptionsFactory>;
  /** The class of an existing provider that creates the options. */
  readonly useExisting?: Type<AgentOptionsFactory>;
}
