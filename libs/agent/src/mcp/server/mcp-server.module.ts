import { Inject, Module, type DynamicModule, type NestModule, type Provider } from '@nestjs/common';
import { type AgentHttpOptions, askedAgentGuards, BodyParsing, HTTP_OPTIONS } from '../../http';
import { MetadataRoutes } from '../auth';
import { ChangeStreams, ListChanges, OpenStreams } from '../changes';
import { McpCompletions } from '../completion';
import { McpMethods, ServerCard } from '../methods';
import { McpPrompts } from '../prompts';
import { McpResources } from '../resources';
import {
  checkAsyncServerOptions,
  checkReturnedOptions,
  checkServerOptions,
  MCP_OPTIONS,
  MCP_SETTINGS,
  servedAgentProviders,
  type McpServerModuleAsyncOptions,
  type McpServerModuleOptions,
  type McpServerOptions,
  type McpServerSettings,
  type McpServerStaticOptions,
  settingsOf,
} from '../settings';
import { CallApproval, McpTools, ServedTools } from '../tools';
import { BootCheck, MCP_CONTROLLER } from './boot-check';
import { createMcpController } from './mcp.controller';
import { McpEndpoint } from './mcp.endpoint';
import { rpcFailure, unreadable } from './rpc-failure';
import { WorkbenchListing } from './workbench-listing';

/**
 * Serves the agent's tools to hosts of the Model Context Protocol: routes through the application's
 * real pipeline, as the caller. Import it beside `AgentModule`, several times for several servers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28
 * @example
 * import { McpServerModule } from 'nestjs-agent/mcp';
 *
 * \@Module({
 *   imports: [
 *     AuthModule,
 *     AgentModule.forRoot({ path: false }),
 *     McpServerModule.forRoot({ imports: [AuthModule], decorators: [UseGuards(JwtAuthGuard)] }),
 *   ],
 * })
 * export class AppModule {}
 */
@Module({})
export class McpServerModule implements NestModule {
  /** @internal */
  constructor(
    private readonly bodies: BodyParsing,
    private readonly metadata: MetadataRoutes,
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
  ) {}

  /** Nest calls it between its own body parsers and the routes. */
  configure(): void {
    const { path, limits } = this.settings;
    this.bodies.accept(path, limits.bodyBytes, (error) => rpcFailure(unreadable(error)));
    this.metadata.install();
  }

  /**
   * Configures the server with static options.
   *
   * @param options all of them have a default
   * @throws InvalidOptionsError naming every option that is unknown, or cannot have its value
   * @example
   * import { McpServerModule } from 'nestjs-agent/mcp';
   *
   * McpServerModule.forRoot({
   *   decorators: [UseGuards(JwtAuthGuard)],
   *   tools: { exclude: ['admin_*'] },
   * });
   */
  static forRoot(options: McpServerModuleOptions = {}): DynamicModule {
    checkServerOptions(options);
    return serverModule(options, { provide: MCP_OPTIONS, useValue: options });
  }

  /**
   * As `forRoot`, with options from a factory. `path`, `imports` and `decorators` stand beside it.
   *
   * @typeParam Dependencies the types of the providers in `inject`, in order
   * @param options the factory, and the options of the controller
   * @throws InvalidOptionsError as `forRoot` does; the factory's options are checked at boot
   * @example
   * import { McpServerModule } from 'nestjs-agent/mcp';
   *
   * McpServerModule.forRootAsync({
   *   inject: [Settings],
   *   useFactory: (settings: Settings) => ({ instructions: settings.prompt }),
   *   decorators: [UseGuards(JwtAuthGuard)],
   * });
   */
  static forRootAsync<Dependencies extends unknown[]>(
    options: McpServerModuleAsyncOptions<Dependencies>,
  ): DynamicModule {
    checkAsyncServerOptions(options as unknown as McpServerModuleAsyncOptions<never[]>);
    return serverModule(options, {
      provide: MCP_OPTIONS,
      inject: options.inject ?? [],
      useFactory: async (...dependencies: Dependencies) => {
        const returned = await options.useFactory(...dependencies);
        checkReturnedOptions(returned);
        return returned;
      },
    });
  }
}

function serverModule(options: McpServerStaticOptions, source: Provider): DynamicModule {
  const { imports = [], decorators = [], agent } = options;
  const path = (options.path ?? 'mcp').split('/').filter(Boolean).join('/');
  const controller = createMcpController(path, decorators);
  return {
    module: McpServerModule,
    imports: [...imports],
    controllers: [controller],
    providers: [
      source,
      {
        provide: MCP_SETTINGS,
        inject: [MCP_OPTIONS, HTTP_OPTIONS],
        useFactory: (given: McpServerOptions, { name }: AgentHttpOptions) =>
          settingsOf(given, path, agent ?? name),
      },
      { provide: MCP_CONTROLLER, useValue: controller },
      ...servedAgentProviders(agent),
      ...askedAgentGuards(decorators),
      BootCheck,
      CallApproval,
      ChangeStreams,
      ListChanges,
      McpCompletions,
      McpEndpoint,
      McpMethods,
      McpPrompts,
      McpResources,
      McpTools,
      MetadataRoutes,
      OpenStreams,
      ServedTools,
      ServerCard,
      WorkbenchListing,
    ],
  };
}
