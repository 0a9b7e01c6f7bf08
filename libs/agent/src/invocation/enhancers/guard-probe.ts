import { Injectable } from '@nestjs/common';
import { ApplicationConfig, ModuleRef } from '@nestjs/core';
import { methodOf } from '../../schema';
import type { DiscoveredTool } from '../../discovery';
import type { Tool, ToolContext } from '../../tool';
import { openCallScope, ScopedInstances } from './call-scope';
import { detachedContext } from './detached-context';
import { DetachedResponse } from './detached-response';
import { EnhancerResolver, type EnhancersOfAll } from './enhancer.resolver';
import { assertAllowed } from './guards';
import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants';

type GuardedMethod = Pick<DiscoveredTool, 'host' | 'methodName' | 'source'> &
  Partial<Pick<DiscoveredTool, 'kind' | 'wrapper'>>;

/**
 * Checks a tool's guards for a caller before a call: those of the application, the class and the
 * method, with their scopes; see docs/decisions/0016.
 */
@Injectable()
export class GuardProbe {
  private readonly application: EnhancersOfAll;
  /** By `askGuards`, which copies of a tool share. */
  private readonly probed = new WeakMap<object, EnhancerResolver>();

  constructor(
    config: ApplicationConfig,
    private readonly moduleRef: ModuleRef,
  ) {
    this.application = { config, moduleRef, instances: new ScopedInstances(moduleRef) };
  }

  /** The tool with a check of its method's guards. */
  withGuards(tool: Tool, method: GuardedMethod): Tool {
    const askGuards = this.guardsOf(method);
    return askGuards ? { ...tool, askGuards } : tool;
  }

  /** Asks the guards of a method; `undefined` if there is no such method. */
  guardsOf(
    method: GuardedMethod,
  ): ((context: Pick<ToolContext, 'request'>) => Promise<void>) | undefined {
    const handler = methodOf(method.host, method.methodName);
    if (handler === undefined) return undefined;
    const enhancers = new EnhancerResolver({ ...method, handler }, this.application);
    const ask = async ({ request: chatRequest }: Pick<ToolContext, 'request'>): Promise<void> => {
      const request = requestToAskWith(chatRequest, method.kind === 'route');
      const contextId = openCallScope(this.moduleRef, request);
      const response = new DetachedResponse(request);
      try {
        const guards = await enhancers.resolve('guard', contextId);
        await assertAllowed(guards, detachedContext(request, response, method.host, handler));
      } finally {
        response.complete();
      }
    };
    this.probed.set(ask, enhancers);
    return ask;
  }

  /** Whether any guard stands in front of the tool. */
  isGuarded({ askGuards }: Pick<Tool, 'askGuards'>): boolean {
    return askGuards !== undefined && this.probed.get(askGuards)?.hasGuards === true;
  }
}

/**
 * The chat request for guards that are checked before a call: changes stay on this copy,
 * request-scoped providers are new, and a route's arguments are empty, because the chat's are not
 * the route's.
 */
function requestToAskWith(chatRequest: unknown, isRoute: boolean): unknown {
  if (typeof chatRequest !== 'object' || chatRequest === null) return chatRequest;
  const { raw } = chatRequest as { readonly raw?: unknown };
  return derived(chatRequest, {
    // On Fastify the scope may be on Node's request.
    ...(typeof raw === 'object' && raw !== null && { raw: derived(raw, {}) }),
    ...(isRoute && { params: {}, query: {}, body: {} }),
  });
}

function derived(request: object, fields: Readonly<Record<string, unknown>>): object {
  const result = Object.create(request) as object;
  // Defined, not assigned: on Fastify some are getters.
  const define = (key: PropertyKey, value: unknown) =>
    Object.defineProperty(result, key, { value, writable: true, configurable: true });
  for (const [key, value] of Object.entries(fields)) define(key, value);
  define(REQUEST_CONTEXT_ID, undefined);
  return result;
}
