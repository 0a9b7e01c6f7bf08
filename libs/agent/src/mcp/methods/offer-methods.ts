import { Inject, Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../../message';
import { McpCompletions } from '../completion';
import { McpPrompts } from '../prompts';
import { invalidParams, type McpCaller, pageOf } from '../protocol';
import { McpResources } from '../resources';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';

/** The methods for resources, prompts and completion. */
@Injectable()
export class OfferMethods {
  constructor(
    private readonly declaredResources: McpResources,
    private readonly declaredPrompts: McpPrompts,
    private readonly completions: McpCompletions,
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
  ) {}

  /** What the application declares, for the server's capabilities. */
  capabilities(): JsonObject {
    const hasResources = !this.declaredResources.isEmpty;
    const hasPrompts = !this.declaredPrompts.isEmpty;
    return {
      ...(hasResources && { resources: {} }),
      ...(hasPrompts && { prompts: {} }),
      ...((hasResources || hasPrompts) && { completions: {} }),
    };
  }

  async resources(params: JsonObject, caller: McpCaller): Promise<object> {
    return this.page('resources', await this.declaredResources.list(caller), params);
  }

  async templates(params: JsonObject, caller: McpCaller): Promise<object> {
    return this.page('resourceTemplates', await this.declaredResources.templates(caller), params);
  }

  async read({ uri }: JsonObject, caller: McpCaller): Promise<object> {
    if (typeof uri !== 'string') throw invalidParams('"uri" must be a string.');
    return { contents: await this.declaredResources.read(uri, caller) };
  }

  async prompts(params: JsonObject, caller: McpCaller): Promise<object> {
    return this.page('prompts', await this.declaredPrompts.list(caller), params);
  }

  prompt({ name, arguments: args = {} }: JsonObject, caller: McpCaller): Promise<object> {
    if (typeof name !== 'string') throw invalidParams('"name" must be a string.');
    if (!isJsonObject(args)) throw invalidParams('"arguments" must be an object.');
    return this.declaredPrompts.get(name, args, caller);
  }

  complete(params: JsonObject, caller: McpCaller): Promise<object> {
    return this.completions.complete(params, caller);
  }

  private page<Item>(key: string, all: readonly Item[], { cursor }: JsonObject): object {
    const { items, nextCursor } = pageOf(all, this.settings.pageSize, cursor);
    return { [key]: items, ...(nextCursor !== undefined && { nextCursor }) };
  }
}
