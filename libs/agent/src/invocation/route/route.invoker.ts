import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { descriptionOf } from '../../decorators';
import { type DiscoveredTool, type ResolvedRoute, RouteResolver } from '../../discovery';
import type { JsonObject } from '../../message';
import { describeMethodResult, SchemaValidator } from '../../schema';
import {
  AgentError,
  assertToolName,
  InvalidArgumentsError,
  snakeCase,
  type Tool,
  ToolDeclarationError,
  type ToolInvocation,
  type ToolTraits,
} from '../../tool';
import {
  type Dispatcher,
  type RequestTarget,
  type RouteRequest,
  InProcessDispatcher,
} from '../dispatch';
import { callerHeadersOf, callerOf, hasCredentials } from './route-caller';
import { consumesOnlyForms } from './route-documentation';
import { RouteHeaderRules } from './route-header-rules';
import { routeInputOf } from './route-input';
import type { RouteOptions } from './route-options.interface';
import { takesUploads } from './route-parameter';
import type { QueryStyle } from './route-query';
import { routeRequestOf } from './route-request';
import { readRouteResponse } from './route-response';
import { ROUTE_OPTIONS } from './route.constants';

/** Methods that change nothing, whose calls need no key against repetition. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY', 'SEARCH']);

/** Makes tools of routes: each call is a request through the application's own pipeline. */
@Injectable()
export class RouteInvoker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Agent');
  private readonly rules: RouteHeaderRules;
  private readonly options: RouteOptions;
  private dispatcher: Dispatcher | undefined;
  private hasBooted = false;
  private hasWarned = false;

  constructor(
    private readonly resolver: RouteResolver,
    private readonly adapterHost: HttpAdapterHost,
    @Optional() @Inject(ROUTE_OPTIONS) options?: RouteOptions,
  ) {
    this.options = options ?? {};
    this.rules = new RouteHeaderRules(this.options.forwardHeaders);
  }

  /** Whether there is anything to send a request to; without it, route tools are to be skipped. */
  get isAvailable(): boolean {
    return typeof this.options.dispatch === 'object' || Boolean(this.adapterHost.httpAdapter);
  }

  onApplicationBootstrap(): void {
    this.hasBooted = true;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher?.close();
    this.dispatcher = undefined;
  }

  /** @throws ToolDeclarationError where the route cannot be a tool; it says why */
  buildRouteTool(discovered: DiscoveredTool): Tool {
    const { host, methodName, options, toolkit, source } = discovered;
    assertNoUpload(discovered);
    const name = (toolkit?.prefix ?? '') + (options.name ?? defaultNameOf(host.name, methodName));
    assertToolName(name, source);
    const description = descriptionOf(host, methodName, options);
    if (description === undefined) {
      throw new ToolDeclarationError(
        `${source}: the tool has no description. Give it one with @Tool({ description }) or @ApiOperation({ summary }).`,
      );
    }
    const resolved = this.resolver.resolve(discovered);
    const input = routeInputOf(
      {
        host,
        methodName,
        title: name,
        ...(options.input !== undefined && { input: options.input }),
      },
      resolved,
      this.rules,
    );
    const route: ResolvedRoute =
      resolved.method === 'ALL'
        ? { ...resolved, method: input.hasBody ? 'POST' : 'GET' }
        : resolved;
    const output = describeMethodResult(host, methodName, options);
    const validator = new SchemaValidator(input.schema);
    const group = options.group ?? toolkit?.group;
    const [example] = options.examples ?? [];
    const { permission, visible, timeoutMs, retry, cacheTtlMs, maxResultChars } = options;
    const requestOf = (args: JsonObject) =>
      routeRequestOf(route, input, args, { isNested: this.queryStyle.isNested });
    return {
      definition: {
        name,
        description,
        input_schema: input.schema,
        ...(output && { output_schema: output }),
      },
      kind: 'route',
      source,
      traits: traitsOf(route.method, options),
      ...(group !== undefined && { group }),
      ...(toolkit && {
        toolkit: {
          name: host.name,
          description: toolkit.description,
          ...(toolkit.instructions !== undefined && { instructions: toolkit.instructions }),
        },
      }),
      ...(permission !== undefined && { permission }),
      ...(visible && { visible }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(retry && { retry }),
      ...(cacheTtlMs !== undefined && { cacheTtlMs }),
      ...(maxResultChars !== undefined && { maxResultChars }),
      ...(example && { example }),
      bind: async (args) => {
        const issues = validator.check(args);
        if (issues.length > 0) throw new InvalidArgumentsError(issues);
        return requestOf(args);
      },
      invoke: (invocation) => this.call(route, invocation.args as RouteRequest, invocation),
    };
  }

  private async call(
    route: ResolvedRoute,
    request: RouteRequest,
    { context, idempotencyKey }: ToolInvocation,
  ): Promise<unknown> {
    const forwarded = callerHeadersOf(context.request, route, this.rules);
    this.warnOfMissingCredentials(context.request, hasCredentials(forwarded));
    const isWrite = !SAFE_METHODS.has(request.method);
    const dispatcher = await this.dispatcherFor();
    const response = await dispatcher.dispatch(
      {
        ...request,
        headers: {
          ...forwarded,
          ...request.headers,
          ...(isWrite && { 'idempotency-key': idempotencyKey }),
        },
      },
      callerOf(context.request),
      context.signal,
    );
    return readRouteResponse(response, request.method, context.signal);
  }

  private async dispatcherFor(): Promise<Dispatcher> {
    if (this.dispatcher) return this.dispatcher;
    const adapter = this.adapterHost.httpAdapter;
    if (!this.hasBooted) {
      throw new AgentError(
        'not_ready',
        'Route tools can be called once the application has started, not while it starts.',
      );
    }
    if (adapter.getType() === 'fastify') {
      await (adapter.getInstance() as { ready(): PromiseLike<unknown> }).ready();
    }
    this.dispatcher ??= new InProcessDispatcher(() => adapter.getHttpServer() as RequestTarget);
    return this.dispatcher;
  }

  private get queryStyle(): QueryStyle {
    return { isNested: false };
  }

  private warnOfMissingCredentials(request: unknown, hasSome: boolean): void {
    if (hasSome || request === undefined || this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn(
      'A route tool was called for a caller without credentials: its request has neither an Authorization header nor a cookie. Guarded routes will refuse it. (Logged once.)',
    );
  }
}

function assertNoUpload({ host, methodName, source }: DiscoveredTool): void {
  if (!takesUploads(host, methodName) && !consumesOnlyForms(host, methodName)) return;
  throw new ToolDeclarationError(
    `${source}: a route that takes uploaded files cannot be a tool, because a model has no files to send. Write a provider tool that takes text or an address.`,
  );
}

function defaultNameOf(controller: string, methodName: string): string {
  return `${snakeCase(controller.replace(/Controller$/, '') || controller)}_${snakeCase(methodName)}`;
}

function traitsOf(method: string, options: Partial<ToolTraits>): ToolTraits {
  const readOnly = options.readOnly ?? (method === 'GET' || method === 'HEAD');
  return {
    readOnly,
    destructive: options.destructive ?? method === 'DELETE',
    idempotent: options.idempotent ?? (method === 'PUT' || method === 'DELETE'),
    concurrencySafe: options.concurrencySafe ?? readOnly,
  };
}
