import { Inject, Injectable, Logger, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants';
import { ApplicationConfig } from '@nestjs/core';
import { globalGuardsOf, ROUTE_OPTIONS, type RouteOptions } from '../../invocation';
import { ToolRegistry } from '../../registry';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';

/** The controller of this server. */
export const MCP_CONTROLLER = Symbol('nestjs-agent:mcp-controller');

/** Warns at boot of a server without a guard, and of tokens that leave for another origin. */
@Injectable()
export class BootCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('AgentMcp');

  constructor(
    private readonly config: ApplicationConfig,
    @Inject(MCP_CONTROLLER) private readonly controller: Type<unknown>,
    private readonly registry: ToolRegistry,
    @Inject(ROUTE_OPTIONS) private readonly routes: RouteOptions,
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.isGuarded()) {
      this.logger.warn(
        `No guard protects the MCP endpoint /${this.settings.path}: every caller can use the tools that require no rights themselves. Set decorators: [UseGuards(…)] of McpServerModule.forRoot, or a global guard.`,
      );
    }
    this.warnOfUnknownGroups();
    const { auth } = this.settings;
    const { dispatch } = this.routes;
    if (auth === undefined || typeof dispatch !== 'object') return;
    const target = new URL(dispatch.baseUrl).origin;
    if (target === new URL(auth.resource).origin) return;
    this.logger.warn(
      `Tools of routes send the caller's token to ${target} (dispatch.baseUrl), but it is issued for ${auth.resource}. Use an address of the same origin, or exchange the token there.`,
    );
  }

  private warnOfUnknownGroups(): void {
    const declared = new Set(this.registry.groups().map(({ name }) => name));
    const unknown = this.settings.groups.filter((name) => !declared.has(name));
    if (unknown.length === 0) return;
    this.logger.warn(
      `"tools.groups" of the MCP endpoint /${this.settings.path} names groups that are not declared: ${unknown.join(', ')}. Add them to "groups" of AgentModule.`,
    );
  }

  private isGuarded(): boolean {
    return (
      Reflect.hasMetadata(GUARDS_METADATA, this.controller) ||
      globalGuardsOf(this.config).length > 0 ||
      this.config.getGlobalRequestGuards().length > 0
    );
  }
}
