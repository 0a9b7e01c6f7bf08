import { Inject, Injectable } from '@nestjs/common';
import { defaultActiveGroups, ToolRegistry } from '../../registry';
import type { AgentService, OfferedTool } from '../../run';
import type { Tool } from '../../tool';
import type { McpCaller } from '../protocol';
import { MCP_SETTINGS, type McpServerSettings, SERVED_AGENT } from '../settings';

/** The tools of one server: those that the agent offers to the caller and the options select. */
@Injectable()
export class ServedTools {
  constructor(
    @Inject(SERVED_AGENT) private readonly agent: AgentService,
    private readonly registry: ToolRegistry,
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
  ) {}

  /** In order of registration. */
  async list({ principal, request }: McpCaller): Promise<readonly OfferedTool[]> {
    const offered = await this.agent.offeredTools({
      request,
      activeGroups: this.activeGroups(),
      ...(principal !== undefined && { principal }),
    });
    return offered.filter((tool) => this.isServed(tool));
  }

  /** A tool by its exact name, offered to the caller or not: its call decides. */
  find(name: string): Tool | undefined {
    const tool = this.registry.find(name);
    return tool?.definition.name === name && this.isServed(tool) ? tool : undefined;
  }

  /** The groups that are active for calls. */
  activeGroups(): readonly string[] {
    return [...defaultActiveGroups(this.registry.groups()), ...this.settings.groups];
  }

  /**
   * These cannot be served: tools of a run's client, tools whose result another party delivers, and
   * tools that ask an agent, which need a run.
   */
  private isServed({ definition, kind, origin, answer, isForeign = false }: OfferedTool): boolean {
    if (origin !== undefined || answer !== undefined || kind === 'agent') return false;
    return (!isForeign || this.settings.servesForeign) && this.settings.isServed(definition.name);
  }
}
