import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { MCP_CLIENT_OPTIONS, McpClients } from './mcp-clients';
import {
  checkAsyncClientOptions,
  checkClientOptions,
  type McpClientAsyncOptions,
  type McpClientOptions,
} from './options';

/**
 * Gives the agent the tools of foreign servers of the Model Context Protocol. They take the same
 * path as the application's own tools: permissions, approvals, limits and audit apply. Import it
 * beside `AgentModule`; other modules may inject `McpClients`.
 *
 * @example
 * import { McpClientModule } from 'nestjs-agent/mcp';
 *
 * \@Module({
 *   imports: [
 *     AgentModule.forRoot(),
 *     McpClientModule.forRoot({
 *       servers: {
 *         files: { command: 'mcp-server-filesystem', args: ['/srv/documents'] },
 *       },
 *     }),
 *   ],
 * })
 * export class AppModule {}
 */
@Module({})
export class McpClientModule {
  /**
   * Configures the module with static options.
   *
   * @param options the servers
   * @throws InvalidOptionsError naming every option that is unknown or wrong
   * @example
   * import { McpClientModule } from 'nestjs-agent/mcp';
   *
   * McpClientModule.forRoot({
   *   servers: { docs: { url: 'https://docs.example.com/mcp', trust: true } },
   * });
   */
  static forRoot(options: McpClientOptions): DynamicModule {
    checkClientOptions(options);
    return moduleWith({ provide: MCP_CLIENT_OPTIONS, useFactory: () => options });
  }

  /**
   * As `forRoot`, with options that depend on other providers.
   *
   * @typeParam Dependencies the types of the providers in `inject`, in order
   * @param options the factory and its dependencies
   * @throws InvalidOptionsError naming every option that is unknown or wrong; the factory's options
   *   are checked at boot
   * @example
   * import { McpClientModule } from 'nestjs-agent/mcp';
   *
   * McpClientModule.forRootAsync({
   *   imports: [SettingsModule],
   *   inject: [Settings],
   *   useFactory: (_settings: Settings) => ({
   *     servers: { docs: { url: 'https://docs.example.com/mcp' } },
   *   }),
   * });
   */
  static forRootAsync<Dependencies extends unknown[]>(
    options: McpClientAsyncOptions<Dependencies>,
  ): DynamicModule {
    checkAsyncClientOptions(options);
    const { inject = [], useFactory, imports } = options;
    return moduleWith(
      {
        provide: MCP_CLIENT_OPTIONS,
        inject,
        useFactory: async (...dependencies: Dependencies) => {
          const answer = await useFactory(...dependencies);
          checkClientOptions(answer, 'the answer of useFactory');
          return answer;
        },
      },
      imports,
    );
  }
}

function moduleWith(
  options: FactoryProvider<McpClientOptions>,
  imports: DynamicModule['imports'] = [],
): DynamicModule {
  return {
    module: McpClientModule,
    global: true,
    imports: [...imports],
    providers: [options, McpClients],
    exports: [McpClients],
  };
}
