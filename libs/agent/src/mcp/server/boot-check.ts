import { Inject, Injectable, Logger, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { wildcard } from '../../internal';
import { hasCallerGuard, ROUTE_OPTIONS, type RouteOptions } from '../../invocation';
import { ToolRegistry } from '../../registry';
import { isMemoryStore, SESSION_STORE, type SessionStore } from '../../session';
import { InvalidOptionsError } from '../../tool';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';
import { McpController } from './mcp.controller';

export const MCP_CONTROLLER = Symbol('nestjs-agent:mcp-controller');

/**
 * Stops the boot if two servers have the same path; warns of a server without a guard, of names
 * that match nothing, and of tokens that go to another origin.
 */
@Injectable()
export class BootCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('AgentMcp');

  constructor(
    private readonly config: ApplicationConfig,
    @Inject(MCP_CONTROLLER) private readonly controller: Type<unknown>,
    private readonly registry: ToolRegistry,
    @Inject(ROUTE_OPTIONS) private readonly routes: RouteOptions,
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    modules: ModulesContainer,
  ) {
    assertOwnPath(settings.path, modules);
  }

  onApplicationBootstrap(): void {
    if (!hasCallerGuard(this.config, this.controller)) {
      this.logger.warn(
        `No guard checks who calls the MCP endpoint /${this.settings.path}: every caller can use the tools that require no rights themselves. Set decorators: [UseGuards(…)] of McpServerModule.forRoot, or a global guard.`,
      );
    }
    this.warnOfUnknownGroups();
    this.warnOfIdlePatterns();
    this.warnOfForgottenApprovals();
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

  /** Tools may be registered later, so this is no error. */
  private warnOfIdlePatterns(): void {
    const names = this.registry.tools().map(({ definition }) => definition.name);
    const idle = this.settings.patterns.filter((pattern) => {
      const rule = wildcard(pattern);
      return !names.some((name) => rule.test(name));
    });
    if (idle.length === 0) return;
    this.logger.warn(
      `"tools" of the MCP endpoint /${this.settings.path} has patterns that match no tool at boot: ${idle.join(', ')}. Check the names, or ignore this if the tools are registered later.`,
    );
  }

  /**
   * If the secret outlives the process or is shared, the record of used approvals must do so, too.
   */
  private warnOfForgottenApprovals(): void {
    const { hasOwnSecret, path } = this.settings;
    if (!hasOwnSecret || !isMemoryStore(this.store)) return;
    this.logger.warn(
      `"secret" of the MCP endpoint /${path} is set, but sessions are kept in memory: after a restart, and in each further process, an approval could count once more. Set "sessions.store" of AgentModule to a store that processes share.`,
    );
  }
}

/** In the constructor, before Fastify would reject the second server's routes with its own error. */
function assertOwnPath(path: string, modules: ModulesContainer): void {
  const servers = [...modules.values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .filter(({ metatype }) => metatype?.prototype instanceof McpController)
    .filter(({ metatype }) => Reflect.getMetadata(PATH_METADATA, metatype as object) === path);
  if (servers.length < 2) return;
  throw new InvalidOptionsError(
    [`two servers have the path "${path}", give each a path of its own`],
    'McpServerModule',
  );
}
