import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import {
  type DiscoveredTool,
  type ResolvedRoute,
  RouteResolver,
  RouteShadows,
} from '../../discovery';
import { SchemaValidator } from '../../schema';
import { failedEnd, originOf, Telemetry, type TraceHeaders } from '../../telemetry';
import {
  AgentError,
  BootReport,
  RouteResponseError,
  subjectOf,
  type Tool,
  ToolDeclarationError,
  type ToolInvocation,
} from '../../tool';
import {
  ApplicationDispatcher,
  ArrivalGuard,
  type Dispatcher,
  PassageInterceptor,
  RemoteDispatcher,
  type RouteRequest,
  type RouteResponse,
} from '../dispatch';
import { CallWatches, type WatchedCall } from '../call';
import { describedAs, nameOf, outlineOf } from '../provider';
import {
  AgentDepth,
  type BoundRequest,
  callerDigest,
  callerHeadersOf,
  callerOf,
  DEPTH_HEADER,
  hasCredentials,
  leftBehindOf,
  queryStyleOf,
  RouteArrival,
  RouteHandler,
  routeInWords,
  routeRequestOf,
  traceHeadersOf,
  withTrace,
  withMethod,
  withRouteName,
  withTraitsOf,
} from './request';
import { assertNoUpload, RouteHeaderRules, routeInputOf, textWarningsOf, withTexts } from './input';
import { type RouteOptions, ROUTE_OPTIONS } from './route-options';
import { type AnsweredRequest, EFFECT_UNKNOWN, readRouteResponse, RouteRefusals } from './response';

/** Read-only methods, whose calls need no idempotency key. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY', 'SEARCH']);

/** A route as a tool: the target of its requests, and their required handler. */
interface RouteTarget {
  readonly route: ResolvedRoute;
  readonly handler: RouteHandler;
  /** Whether the tool only reads. */
  readonly isReadOnly: boolean;
}

/** Creates tools from routes: each call is a request through the application's own pipeline. */
@Injectable()
export class RouteInvoker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Agent');
  private readonly rules: RouteHeaderRules;
  private readonly dispatcher: Dispatcher;
  private readonly isRemote: boolean;
  private readonly refusals = new RouteRefusals();

  /** @throws AgentError `invalid_options` unless `dispatch.baseUrl` is a plain address */
  constructor(
    private readonly resolver: RouteResolver,
    private readonly shadows: RouteShadows,
    private readonly report: BootReport,
    private readonly adapterHost: HttpAdapterHost,
    private readonly config: ApplicationConfig,
    @Optional() @Inject(ROUTE_OPTIONS) { dispatch, forwardHeaders }: RouteOptions = {},
    @Optional() private readonly telemetry: Telemetry = new Telemetry(),
    @Optional() private readonly depth: AgentDepth = new AgentDepth(),
    @Optional() private readonly watches?: CallWatches,
  ) {
    this.rules = new RouteHeaderRules(forwardHeaders);
    this.isRemote = typeof dispatch === 'object';
    if (!this.isRemote) ArrivalGuard.standIn(config);
    if (!this.isRemote && watches) PassageInterceptor.standIn(config);
    this.dispatcher =
      typeof dispatch === 'object'
        ? new RemoteDispatcher(dispatch.baseUrl)
        : new ApplicationDispatcher(adapterHost, this.depth.enter);
  }

  /**
   * The reason why routes cannot be called, if any. Evaluated when tools are loaded: a testing
   * module gets its adapter after its providers are created.
   *
   * @param isLate whether the routes were found after Nest bound the application's routes
   */
  unavailability(isLate: boolean): string | undefined {
    if (this.isRemote) return undefined;
    if (!this.adapterHost.httpAdapter) return 'No HTTP here';
    return isLate ? 'Nest does not serve controllers of lazily loaded modules' : undefined;
  }

  onApplicationBootstrap(): void {
    this.dispatcher.start?.();
  }

  /** Runs are cancelled by now; closes their connections before the servers close. */
  beforeApplicationShutdown(): Promise<void> {
    return this.dispatcher.close();
  }

  /** @throws ToolDeclarationError if the route cannot be a tool */
  buildRouteTool(discovered: DiscoveredTool): Tool {
    const { host, methodName, source } = discovered;
    assertNoUpload(discovered);
    const declaration = withRouteName(discovered);
    const name = nameOf(declaration);
    const resolved = this.resolver.resolve(declaration);
    const shadow = this.shadowOf(declaration, resolved);
    if (shadow !== undefined && discovered.mayBeLeftOut === true) {
      throw new ToolDeclarationError(`${source}: ${shadow}`);
    }
    const inWords =
      discovered.isDescribedByPath === true ? routeInWords(methodName, resolved) : undefined;
    const description = describedAs(declaration, inWords);
    const { input: wanted } = declaration.options;
    const style = queryStyleOf(this.adapterHost);
    const method = {
      ...{ host, methodName, hasNestedQuery: style.isNested },
      globalPipes: [
        ...this.config.getGlobalPipes(),
        ...this.config.getGlobalRequestPipes().map(({ metatype }) => metatype),
      ],
    };
    const input = routeInputOf(
      { ...method, title: name, ...(wanted !== undefined && { input: wanted }) },
      resolved,
      this.rules,
    );
    const readsBody = input.fields.some(({ place }) => place === 'body');
    const route = withMethod(resolved, readsBody);
    const options = withTraitsOf(route.method, declaration.options);
    const validator = new SchemaValidator(input.schema);
    const defined = { name, description, input_schema: input.schema };
    const outline = outlineOf({ ...declaration, options }, defined);
    const { readOnly: isReadOnly } = outline.traits;
    const handler = new RouteHandler(host, methodName, source);
    const target: RouteTarget = { route, handler, isReadOnly };
    const tool: Tool = {
      ...outline,
      kind: 'route',
      ...(!isReadOnly && { defaultPermission: 'ask' as const }),
      normalize: (args) => validator.given(withTexts(input, args)),
      bind: (args) =>
        Promise.resolve().then(() =>
          routeRequestOf(route, input, validator.accept(withTexts(input, args)), style),
        ),
      invoke: (invocation) => this.call(target, invocation.args as BoundRequest, invocation),
      requestFor: (args) => {
        const request = routeRequestOf(route, input, withTexts(input, args), style);
        const { method, path, body } = request;
        return { method, path, ...(body !== undefined && { body }) };
      },
      cacheScope: (request) => callerDigest(request, callerHeadersOf(request, route, this.rules)),
    };
    if (shadow !== undefined) this.report.add(subjectOf(tool), shadow);
    // Another process may have other pipes, and another parser.
    const warnings = this.isRemote ? [] : textWarningsOf(method, input);
    for (const { text, summary } of warnings) this.report.add(subjectOf(tool), text, summary);
    return tool;
  }

  /** The earlier route that receives every request, as named in the boot report. */
  private shadowOf(declaration: DiscoveredTool, { path }: ResolvedRoute): string | undefined {
    // Another process may have other routes.
    const shadow = this.isRemote ? undefined : this.shadows.over(declaration);
    if (shadow === undefined) return undefined;
    const { source, path: earlier, isSamePath } = shadow;
    const start = `No request reaches it: ${source} precedes it`;
    const end = 'so every call of it would be an error.';
    return isSamePath
      ? `${start} behind the same method and path (${path}), ${end} Give one of them another path or, with versions, call enableVersioning().`
      : `${start}, and its path ${earlier} takes ${path} too, ${end} Declare it before that one, or give one of them another path.`;
  }

  private async call(
    { route, handler, isReadOnly }: RouteTarget,
    { sharedValues, ...request }: BoundRequest,
    invocation: ToolInvocation,
  ): Promise<unknown> {
    const { context, commit } = invocation;
    const forwarded = callerHeadersOf(context.request, route, this.rules);
    const isWrite = !SAFE_METHODS.has(request.method);
    const headers = {
      ...request.headers,
      // After the model's headers; the version's come last.
      ...forwarded,
      ...route.headers,
      [DEPTH_HEADER]: String(this.depth.next(context.request)),
      // Computed when it is read.
      ...(isWrite && { 'idempotency-key': invocation.idempotencyKey }),
    };
    const watched = this.watches?.of(context.call.id);
    const destination = new RouteArrival(handler, sharedValues, watched);
    watched?.enter('middleware');
    const response = await this.observed({ ...request, headers, destination }, context, isReadOnly);
    tellOfAnswer(watched, response.status);
    const answered: AnsweredRequest = {
      method: request.method,
      isReadOnly,
      commit: (result) => {
        if (this.isRemote || destination.hasArrived) commit?.(result);
      },
    };
    const result = await readRouteResponse(response, answered, context.signal).catch(
      (error: unknown) => {
        this.refusals.report({
          tool: context.call.name,
          ...{ method: request.method, path: route.path, status: response.status },
          message: String(error),
          hasRequest: context.request !== undefined,
          hasCredentials: hasCredentials(forwarded),
          leftBehind: leftBehindOf(context.request, this.rules),
        });
        throw error;
      },
    );
    if (!this.isRemote) destination.assertArrived();
    return result;
  }

  /** Sends a request within its telemetry hook and with that hook's trace. */
  private observed(
    request: RouteRequest,
    context: ToolInvocation['context'],
    isReadOnly: boolean,
  ): Promise<RouteResponse> {
    const { call, signal } = context;
    const written: TraceHeaders = {};
    return this.telemetry.around('dispatch', {
      info: () => ({
        ...originOf(context),
        callId: call.id,
        tool: call.name,
        method: request.method,
        isRemote: this.isRemote,
        headers: written,
      }),
      work: () => {
        const headers = withTrace(request.headers, traceHeadersOf(written));
        return this.send({ ...request, headers }, context, isReadOnly);
      },
      end: ({ status }) => ({ status: 'completed', httpStatus: status }),
      failed: (error) => failedEnd(error, signal),
    });
  }

  private async send(
    request: RouteRequest,
    { request: chatRequest, signal }: ToolInvocation['context'],
    isReadOnly: boolean,
  ): Promise<RouteResponse> {
    try {
      return await this.dispatcher.dispatch(request, callerOf(chatRequest), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AgentError) throw error;
      // Without the query, which may contain secrets.
      const path = request.path.split('?')[0] ?? '';
      this.logger.error(`${request.method} ${path} got no response: ${String(error)}`);
      const effect = isReadOnly ? '' : ` ${EFFECT_UNKNOWN}`;
      throw new RouteResponseError(502, `The route gave no response.${effect}`, { cause: error });
    }
  }
}

/** An answer below 400 is read as a separate stage; any other means that the open stage failed. */
function tellOfAnswer(watched: WatchedCall | undefined, status: number): void {
  if (watched === undefined) return;
  const { failedStatus } = watched;
  if (failedStatus !== undefined && failedStatus !== status) {
    watched.enter('filters', `answered ${status} instead of ${failedStatus}`);
  }
  if (status >= 400) watched.fail();
  else watched.enter('answer');
}
