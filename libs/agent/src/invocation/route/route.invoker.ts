import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  type DiscoveredTool,
  type ResolvedRoute,
  RouteNeighbours,
  RouteResolver,
  type RouteSurroundings,
} from '../../discovery';
import { describeMethodResult, SchemaValidator } from '../../schema';
import { AgentError, RouteResponseError, type Tool, type ToolInvocation } from '../../tool';
import {
  ApplicationDispatcher,
  type Dispatcher,
  RemoteDispatcher,
  type RouteRequest,
  type RouteResponse,
} from '../dispatch';
import { describedAs, nameOf, settingsOf } from '../tool-description';
import { AgentDepth, DEPTH_HEADER } from './agent-depth';
import { callerDigest, callerHeadersOf, callerOf, hasCredentials } from './route-caller';
import { withMethod, withRouteName, withTraitsOf } from './route-defaults';
import { RouteHeaderRules } from './route-header-rules';
import { routeInputOf } from './route-input';
import type { RouteOptions } from './route-options.interface';
import { queryStyleOf } from './route-query-style';
import { routeRequestOf } from './route-request';
import { readRouteResponse } from './route-response';
import { assertNoUpload } from './route-uploads';
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
    private readonly neighbours: RouteNeighbours,
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
    const options = withTraitsOf(route.method, declaration.options);
    const style = queryStyleOf(this.adapterHost);
    const validator = new SchemaValidator(input.schema);
    // At the first call, for a boot has no need of it.
    let known: RouteSurroundings | undefined;
    const surroundings = () =>
      (known ??= this.neighbours.of(declaration, route, this.dispatcher.hostname));
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
        Promise.resolve().then(() =>
          routeRequestOf(route, input, validator.accept(args), style, surroundings),
        ),
      invoke: (invocation) => this.call(route, invocation.args as RouteRequest, invocation),
      cacheScope: (request) => callerDigest(request, callerHeadersOf(request, route, this.rules)),
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
