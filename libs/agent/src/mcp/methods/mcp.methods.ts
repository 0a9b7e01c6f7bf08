import { Inject, Injectable } from '@nestjs/common';
import { Tally } from '../../internal';
import { isJsonObject, type JsonObject } from '../../message';
import { McpCompletions } from '../completion';
import { McpPrompts } from '../prompts';
import {
  invalidParams,
  type McpCaller,
  type McpContext,
  META,
  pageOf,
  RPC,
  RpcError,
} from '../protocol';
import { McpResources } from '../resources';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';
import { McpTools } from '../tools';
import { ServerCard } from './server-card';

/** A method of the protocol. */
interface Method {
  /** The revisions that have it; all by default. */
  readonly era?: 'modern' | 'legacy';
  /** Milliseconds that modern clients may cache the result; not cacheable by default. */
  readonly ttlMs?: number;
  /** Whether it runs code of the application, which counts against `callsPerPrincipal`. */
  readonly isBounded?: boolean;
  readonly call: (params: JsonObject, context: McpContext) => object | Promise<object>;
}

/** The methods of the protocol, by name. */
@Injectable()
export class McpMethods {
  private readonly methods: ReadonlyMap<string, Method>;
  private readonly callsPerPrincipal: number;
  /** The calls that run now, by principal. */
  private readonly calls = new Tally<string | undefined>();

  constructor(
    private readonly card: ServerCard,
    tools: McpTools,
    resources: McpResources,
    prompts: McpPrompts,
    completions: McpCompletions,
    @Inject(MCP_SETTINGS) { ttlMs, limits, pageSize }: McpServerSettings,
  ) {
    this.callsPerPrincipal = limits.callsPerPrincipal;
    /** @param key the result's member with the items */
    const listing = (
      key: string,
      list: (caller: McpCaller) => Promise<readonly unknown[]>,
    ): Method => ({
      ttlMs,
      call: async ({ cursor }, { caller }) => {
        const { items, nextCursor } = pageOf(await list(caller), pageSize, cursor);
        return { [key]: items, ...(nextCursor !== undefined && { nextCursor }) };
      },
    });
    const running = (call: Method['call']): Method => ({ isBounded: true, call });
    this.methods = new Map<string, Method>([
      ['server/discover', { era: 'modern', ttlMs, call: (_, { caller }) => card.discover(caller) }],
      [
        'initialize',
        { era: 'legacy', call: (params, { caller }) => card.initialize(params, caller) },
      ],
      ['ping', { era: 'legacy', call: () => ({}) }],
      ['tools/list', listing('tools', (caller) => tools.list(caller))],
      ['tools/call', running((params, context) => tools.call(params, context))],
      ['resources/list', listing('resources', (caller) => resources.list(caller))],
      [
        'resources/templates/list',
        listing('resourceTemplates', (caller) => resources.templates(caller)),
      ],
      [
        'resources/read',
        { ...running((params, { caller }) => readOf(resources, params, caller)), ttlMs: 0 },
      ],
      // Resources report no updates.
      ['resources/subscribe', { era: 'legacy', call: () => ({}) }],
      ['resources/unsubscribe', { era: 'legacy', call: () => ({}) }],
      ['prompts/list', listing('prompts', (caller) => prompts.list(caller))],
      ['prompts/get', running((params, { caller }) => promptOf(prompts, params, caller))],
      [
        'completion/complete',
        running((params, { caller }) => completions.complete(params, caller)),
      ],
    ]);
  }

  /** @throws RpcError if the method is unknown or refuses */
  async call(name: string, params: JsonObject, context: McpContext): Promise<object> {
    const method = this.methods.get(name);
    const era = context.isModern ? 'modern' : 'legacy';
    if (method === undefined || (method.era ?? era) !== era) {
      throw new RpcError(RPC.methodNotFound, `Method not found: ${name.slice(0, 100)}`, 404);
    }
    const result = await this.bounded(method, params, context);
    // Strict legacy clients reject results with members that they do not know.
    return context.isModern ? this.modern(result, method.ttlMs) : result;
  }

  /** @throws RpcError with status 429 if the principal has too many calls at the same time */
  private async bounded(
    { call, isBounded }: Method,
    params: JsonObject,
    context: McpContext,
  ): Promise<object> {
    if (isBounded !== true) return call(params, context);
    const { callsPerPrincipal: most } = this;
    const { principal } = context.caller;
    if (this.calls.of(principal) >= most) {
      throw new RpcError(
        RPC.internalError,
        `Too many calls at the same time: at most ${most}. Try again when one has ended.`,
        429,
      );
    }
    const end = this.calls.add(principal);
    try {
      return await call(params, context);
    } finally {
      end();
    }
  }

  /** @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching */
  private modern(result: object, ttlMs?: number): object {
    return {
      resultType: 'complete',
      ...(ttlMs !== undefined && { ttlMs, cacheScope: 'private' }),
      ...result,
      _meta: { [META.serverInfo]: this.card.serverInfo },
    };
  }
}

async function readOf(
  resources: McpResources,
  { uri }: JsonObject,
  caller: McpCaller,
): Promise<object> {
  if (typeof uri !== 'string') throw invalidParams('"uri" must be a string.');
  return { contents: await resources.read(uri, caller) };
}

function promptOf(
  prompts: McpPrompts,
  { name, arguments: args = {} }: JsonObject,
  caller: McpCaller,
): Promise<object> {
  if (typeof name !== 'string') throw invalidParams('"name" must be a string.');
  if (!isJsonObject(args)) throw invalidParams('"arguments" must be an object.');
  return prompts.get(name, args, caller);
}
