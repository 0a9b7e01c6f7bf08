import {
  Inject,
  Injectable,
  Optional,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HealthReport } from '../../http';
import { AgentDepth } from '../../invocation';
import { ToolRegistry } from '../../registry';
import { AgentError } from '../../tool';
import { ServerLink, type McpClientState } from './link';
import { settingsOf, type McpClientOptions } from './options';

/** Token of the `McpClientOptions`. */
export const MCP_CLIENT_OPTIONS = Symbol('nestjs-agent:mcp-client-options');

/** A server and its tools. */
export interface McpClientStatus {
  /** The server's name in the options. */
  readonly name: string;
  /**
   * - `connecting`: the first attempt is under way
   * - `connected`: its tools can be called
   * - `unavailable`: it cannot be reached, and calls fail; attempts go on
   */
  readonly state: McpClientState;
  /** The names of its tools in the registry. */
  readonly tools: readonly string[];
}

/**
 * The servers of `McpClientModule`, and their states.
 *
 * @example
 * import { McpClients } from 'nestjs-agent/mcp';
 *
 * \@Injectable()
 * export class ToolStatus {
 *   constructor(private readonly clients: McpClients) {}
 *
 *   unreachable(): readonly string[] {
 *     return this.clients
 *       .status()
 *       .filter(({ state }) => state !== 'connected')
 *       .map(({ name }) => name);
 *   }
 * }
 */
@Injectable()
export class McpClients implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly links: ReadonlyMap<string, ServerLink>;

  /** @internal */
  constructor(
    @Inject(MCP_CLIENT_OPTIONS) options: McpClientOptions,
    registry: ToolRegistry,
    depth: AgentDepth,
    @Optional() health?: HealthReport,
  ) {
    const links = Object.entries(options.servers).map(
      ([name, server]) => new ServerLink(settingsOf(name, server), registry, depth),
    );
    this.links = new Map(links.map((link) => [link.settings.name, link]));
    if (links.length > 0) {
      health?.add(() => Object.fromEntries(this.status().map(({ name, state }) => [name, state])));
    }
  }

  /** All servers, in the order of the options. */
  status(): readonly McpClientStatus[] {
    return [...this.links.values()].map(statusOf);
  }

  /**
   * Lists a server's tools now; connects first if it is not connected.
   *
   * @param name the server's name in the options
   * @returns its state afterwards
   * @throws AgentError `mcp_server_not_found` if there is none of that name,
   *   `temporarily_unavailable` if it cannot be reached
   */
  async refresh(name: string): Promise<McpClientStatus> {
    const link = this.links.get(name);
    if (link === undefined) {
      throw new AgentError('mcp_server_not_found', `There is no MCP server "${name}".`);
    }
    await link.refresh();
    return statusOf(link);
  }

  /**
   * Connects to all servers. Decorated tools are in the registry by now, so a server cannot take
   * their names.
   *
   * @throws AgentError `mcp_server_required` naming required servers that cannot be reached
   */
  async onApplicationBootstrap(): Promise<void> {
    const links = [...this.links.values()];
    try {
      const starts: Promise<boolean>[] = [];
      for (const link of links) starts.push(link.start(Promise.all(starts)));
      const isConnected = await Promise.all(starts);
      const missing = links.filter(({ settings }, at) => settings.required && !isConnected[at]);
      if (missing.length === 0) return;
      const names = missing.map(({ settings }) => `"${settings.name}"`).join(', ');
      throw new AgentError(
        'mcp_server_required',
        `McpClientModule cannot start: ${names} cannot be reached and is required. The log says why. Set required: false to start without.`,
      );
    } catch (error) {
      await this.onApplicationShutdown();
      throw error;
    }
  }

  /** Called by Nest. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.links.values()].map((link) => link.close()));
  }
}

function statusOf({ settings, state, tools }: ServerLink): McpClientStatus {
  return { name: settings.name, state, tools };
}
