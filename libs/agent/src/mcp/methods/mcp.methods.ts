import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '../../message';
import { type McpContext, META, RPC, RpcError } from '../protocol';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';
import { McpTools } from '../tools';
import { CallSlots } from './call-slots';
import { OfferMethods } from './offer-methods';
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
  private readonly slots: CallSlots;

  constructor(
    private readonly card: ServerCard,
    tools: McpTools,
    offers: OfferMethods,
    @Inject(MCP_SETTINGS) { ttlMs, limits }: McpServerSettings,
  ) {
    this.slots = new CallSlots(limits.callsPerPrincipal);
    this.methods = new Map<string, Method>([
      ['server/discover', { era: 'modern', ttlMs, call: (_, { caller }) => card.discover(caller) }],
      [
        'initialize',
        { era: 'legacy', call: (params, { caller }) => card.initialize(params, caller) },
      ],
      ['ping', { era: 'legacy', call: () => ({}) }],
      ['tools/list', { ttlMs, call: (params, { caller }) => tools.list(params, caller) }],
      ['tools/call', { isBounded: true, call: (params, context) => tools.call(params, context) }],
      ['resources/list', { ttlMs, call: (params, { caller }) => offers.resources(params, caller) }],
      [
        'resources/templates/list',
        { ttlMs, call: (params, { caller }) => offers.templates(params, caller) },
      ],
      [
        'resources/read',
        { isBounded: true, ttlMs: 0, call: (params, { caller }) => offers.read(params, caller) },
      ],
      // Resources report no updates.
      ['resources/subscribe', { era: 'legacy', call: () => ({}) }],
      ['resources/unsubscribe', { era: 'legacy', call: () => ({}) }],
      ['prompts/list', { ttlMs, call: (params, { caller }) => offers.prompts(params, caller) }],
      [
        'prompts/get',
        { isBounded: true, call: (params, { caller }) => offers.prompt(params, caller) },
      ],
      [
        'completion/complete',
        { isBounded: true, call: (params, { caller }) => offers.complete(params, caller) },
      ],
    ]);
  }

  /** @throws RpcError if the method is unknown or refuses */
  async call(name: string, params: JsonObject, context: McpContext): Promise<object> {
    const method = this.methods.get(name);
    const era = context.isModern ? 'modern' : 'legacy';
    if (method === undefined || (method.era ?? era) !== era) {
      throw new RpcError(
        RPC.methodNotFound,
        `Method not found: ${name.slice(0, 100)}`,
        404,
      );
    }
    const result = await this.bounded(method, params, context);
    // Strict legacy clients reject results with members that they do not know.
    return context.isModern ? this.modern(result, method.ttlMs) : result;
  }

  private async bounded(
    { call, isBounded }: Method,
    params: JsonObject,
    context: McpContext,
  ): Promise<object> {
    if (isBounded !== true) return call(params, context);
    const release = this.slots.take(context.caller.principal);
    try {
      return await call(params, context);
    } finally {
      release();
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
