import { Inject, Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../../message';
import { McpPrompts } from '../prompts';
import { LEGACY_REVISIONS, type McpCaller, MODERN_REVISION } from '../protocol';
import { McpResources } from '../resources';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';
import { McpTools } from '../tools';

/** The server's description of itself, in `initialize` and `server/discover`. */
@Injectable()
export class ServerCard {
  constructor(
    private readonly tools: McpTools,
    private readonly resources: McpResources,
    private readonly prompts: McpPrompts,
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
  ) {}

  get serverInfo(): JsonObject {
    const { name, version } = this.settings;
    return { name, version };
  }

  async initialize(params: JsonObject, caller: McpCaller): Promise<JsonObject> {
    const { protocolVersion } = params;
    const isServed =
      typeof protocolVersion === 'string' && LEGACY_REVISIONS.includes(protocolVersion);
    return {
      protocolVersion: isServed ? protocolVersion : (LEGACY_REVISIONS[0] ?? ''),
      capabilities: this.capabilities(),
      serverInfo: this.serverInfo,
      ...(await this.instructions(caller)),
    };
  }

  async discover(caller: McpCaller): Promise<JsonObject> {
    return {
      supportedVersions: [MODERN_REVISION],
      capabilities: this.capabilities(),
      ...(await this.instructions(caller)),
    };
  }

  private capabilities(): JsonObject {
    const hasResources = !this.resources.isEmpty;
    const hasPrompts = !this.prompts.isEmpty;
    return {
      tools: this.settings.listChanged ? { listChanged: true } : {},
      ...(hasResources && { resources: {} }),
      ...(hasPrompts && { prompts: {} }),
      ...((hasResources || hasPrompts) && { completions: {} }),
    };
  }

  /** The server's own, then those of the toolkits that the caller is offered. */
  private async instructions(caller: McpCaller): Promise<JsonObject> {
    const { instructions: own = '' } = this.settings;
    const parts = [own, ...(await this.tools.instructions(caller))];
    const instructions = parts.filter((part) => part !== '').join('\n\n');
    return instructions === '' ? {} : { instructions };
  }
}

/** The capabilities in the parameters of `initialize`. */
export function capabilitiesOf({ capabilities }: JsonObject): JsonObject {
  return isJsonObject(capabilities) ? capabilities : {};
}
