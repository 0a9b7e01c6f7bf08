import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type DiscoveredTool, type ResolvedRoute, RouteResolver } from '../../discovery';
import { describeMethodResult, SchemaValidator } from '../../schema';
import {
  AgentError,
  RouteResponseError,
  snakeCase,
  type Tool,
  ToolDeclarationError,
  type ToolInvocation,
  type ToolTraits,
} from '../../tool';
import {
  ApplicationDispatcher,
  type Dispatcher,
  RemoteDispatcher,
  type RouteRequest,
  type RouteResponse,
} from '../dispatch';
import { describedAs, nameOf, settingsOf } from '../provider/tool-description';
import { AgentDepth, DEPTH_HEADER } from './agent-depth';
import { callerHeadersOf, callerOf, hasCredentials } from './route-caller';
import { consumesOnlyForms } from './route-documentation';
import { RouteHeaderRules } from './route-header-rules';
import { routeInputOf } from './route-input';
import type { RouteOptions } from './route-options.interface';
import { takesUploads } from './route-parameter';
import { queryStyleOf } from './route-query-style';
import { routeRequestOf } from './route-request';
import { readRouteResponse } from './route-response';
import { ROUTE_OPTIONS } from './route.constants';

/** Methods that change nothing, whose calls need no key against repetition. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY', 'SEARCH']);

/** Makes tools of routes: each call is a request through the application's own pipeline. */
@Injectable()
export class RouteInvoker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Agent');
  private readonly rules: RouteHeaderRules;
  private readonly depth = new AgentDepth();
  private readonly dispatcher: Dispatcher;
  private readonly isRemote: boolean;
  private readonly readiness = { hasStarted: false };
  private hasWarned = false;

  /** @throws AgentError `invalid_options` where `dispatch.baseUrl` is no plain address */
  constructor(
    private readonly resolver: RouteResolver,
    private readonly adapterHost: HttpAdapterHost,
    @Optional() @Inject(ROUTE_OPTIONS) { dispatch, forwardHeaders }: RouteOptions = {},
  ) {
    this.rules = new RouteHeaderRules(forwardHeaders);
    this.isRemote = typeof dispatch === 'object';
    this.dispatcher =
      typeof dispatch === 'object'
        ? new RemoteDispatcher(dispatch.baseUrl)
        : new ApplicationDispatcher(adapterHost, this.readiness, this.depth.enter);
  }

  /**
   * Whether there is anything to send a request to; without it, route tools are to be skipped.
   * Asked when tools are loaded: a testing module gets its adapter after its providers are made.
   */
  get isAvailable(): boolean {
    return this.isRemote || Boolean(this.adapterHost.httpAdapter);
  }

  onApplicationBootstrap(): void {
    this.readiness.hasStarted = true;
  }

  /** Runs are cancelled by now; what they left open is closed before the servers are. */
  async beforeApplicationShutdown(): Promise<void> {
    this.readiness.hasStarted = false;
    await this.dispatcher.close();
  }

  /** @throws ToolDeclarationError where the route cannot be a tool; it says why */
  buildRouteTool(discovered: DiscoveredTool): Tool {
    const { host, methodName, source } = discovered;
    assertNoUpload(discovered);
    const declaration = withRouteName(discovered);
    const name = nameOf(declaration);
    const description = describedAs(declaration);
    const resolved = this.resolver.resolve(declaration);
    const { input: wanted } = declaration.options;
    const input = routeInputOf(
      { host, methodName, title: name, ...(wanted !== undefined && { input: wanted }) },
      resolved,
      this.rules,
    );
    const route = withMethod(resolved, input.hasBody);
    const options = { ...traitsOf(route.method), ...definedOf(declaration.options) };
    const style = queryStyleOf(this.adapterHost);
    const validator = new SchemaValidator(input.schema);
    const output = describeMethodResult(host, methodName, options);
    return {
      ...settingsOf({ ...declaration, options }),
      definition: {
        name,
        description,
        input_schema: input.schema,
        ...(output && { output_schema: output }),
      },
      kind: 'route',
      source,
      bind: (args) =>
        Promise.resolve().then(() => routeRequestOf(route, input, validator.accept(args), style)),
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
    const headers = {
      ...request.headers,
      // After the model's, and the version's after whatever is forwarded.
      ...forwarded,
      ...route.headers,
      [DEPTH_HEADER]: String(this.depth.next(context.request)),
      ...(isWrite && { 'idempotency-key': idempotencyKey }),
    };
    const response = await this.send({ ...request, headers }, context);
    return readRouteResponse(response, request.method, context.signal);
  }

  private async send(
    request: RouteRequest,
    { request: chatRequest, signal }: ToolInvocation['context'],
  ): Promise<RouteResponse> {
    try {
      return await this.dispatcher.dispatch(request, callerOf(chatRequest), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AgentError) throw error;
      // The path without its query, which may hold what no log should.
      const path = request.path.split('?')[0] ?? '';
      this.logger.error(`${request.method} ${path} brought no response: ${String(error)}`);
      throw new RouteResponseError(502, 'The route gave no response.', { cause: error });
    }
  }

  private warnOfMissingCredentials(chatRequest: unknown, hasSome: boolean): void {
    if (hasSome || this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn(
      chatRequest === undefined
        ? 'A route tool was called without a chat request, so without credentials. Guarded routes will refuse it. (Logged once.)'
        : 'A route tool was called for a caller without credentials: the request has neither an Authorization header nor a cookie. Guarded routes will refuse it. (Logged once.)',
    );
  }
}

function assertNoUpload({ host, methodName, source }: DiscoveredTool): void {
  if (!takesUploads(host, methodName) && !consumesOnlyForms(host, methodName)) return;
  throw new ToolDeclarationError(
    `${source}: a route that takes uploaded files cannot be a tool, because a model has no files to send. Write a provider tool that takes text or an address.`,
  );
}

/** `OrdersController.findAll` → `orders_find_all` */
function withRouteName(discovered: DiscoveredTool): DiscoveredTool {
  const { host, methodName, options } = discovered;
  if (options.name !== undefined) return discovered;
  const controller = host.name.replace(/Controller$/, '') || host.name;
  const name = `${snakeCase(controller)}_${snakeCase(methodName)}`;
  return { ...discovered, options: { ...options, name } };
}

/** A route for every method is called as its parameters suggest, unless `@Tool({ method })` says. */
function withMethod(route: ResolvedRoute, hasBody: boolean): ResolvedRoute {
  return route.method === 'ALL' ? { ...route, method: hasBody ? 'POST' : 'GET' } : route;
}

function traitsOf(method: string): Partial<ToolTraits> {
  return {
    readOnly: method === 'GET' || method === 'HEAD',
    destructive: method === 'DELETE',
    idempotent: method === 'PUT' || method === 'DELETE',
  };
}

/** An option given as `undefined` is one not given. */
function definedOf<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
