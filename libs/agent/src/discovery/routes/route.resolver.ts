import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import {
  HOST_METADATA,
  METHOD_METADATA,
  MODULE_PATH,
  PATH_METADATA,
  SSE_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import { parse } from 'path-to-regexp';
import { methodOf } from '../../schema';
import { messageOf, withFallback } from '../../internal';
import { ToolDeclarationError } from '../../tool';
import type { DiscoveredTool } from '../discovered-tool';
import { AGENT_ENDPOINT } from '../discovery.constants';
import { parseFindMyWay } from './route-find-my-way';
import { routeHostsOf, type RouteHosts } from './route-host';
import { routePathsOf, type RoutePath, type RouteVersion } from './route-paths';
import type { PathToken } from './route-pattern';
import { versionHeaderOf, versionSelectorOf } from './route-version';

/** A method that may serve a route. */
export interface RouteMethod extends Pick<DiscoveredTool, 'host' | 'methodName'> {
  readonly wrapper: Pick<InstanceWrapper, 'host'>;
}

export type RouteDeclaration = RouteMethod & Pick<DiscoveredTool, 'options' | 'source'>;

/** The URL and headers of a route; fixed at boot. */
export interface ResolvedRoute {
  /** `GET`, `POST`, … */
  readonly method: string;
  /** The path as the router knows it, prefix and version included: `/api/v1/orders/:id`. */
  readonly path: string;
  readonly pattern: readonly PathToken[];
  /** The parts that the version needs in every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The parts that select another version, also where this one needs none. */
  readonly versionHeader?: string;
  readonly hosts?: RouteHosts;
}

/** One of the places where a route is served. */
export interface RoutePlace extends RoutePath {
  /** `GET`, `POST`, … or `ALL` */
  readonly method: string;
  /** Missing if every host serves it. */
  readonly hosts?: RouteHosts;
}

/** Where one of the agent's own endpoints is reached. */
export interface RouteAddress {
  /** With the names of its parameters: `/api/agent/runs/:runId`. */
  readonly path: string;
  /** With its `?`; empty unless the version needs it. */
  readonly query: string;
  /** The headers that the version needs. */
  readonly headers: Readonly<Record<string, string>>;
}

const MAY_BE_OLD_NOTATION = /[*+?()]/;

type OneOrMore<T> = T | readonly T[];

const listOf = <T>(value: OneOrMore<T> | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly T[]) : [value as T];

/**
 * Finds the real URL of a route by Nest's own rules. Of several paths and versions it takes the
 * first declared one.
 */
@Injectable()
export class RouteResolver {
  constructor(
    private readonly config: ApplicationConfig,
    private readonly adapterHost: HttpAdapterHost,
    private readonly modules: ModulesContainer,
  ) {}

  /** @throws ToolDeclarationError if the method is not a route that a tool can call */
  resolve(declaration: RouteDeclaration): ResolvedRoute {
    const { host, methodName, source } = declaration;
    const handler = methodOf(host, methodName);
    const requestMethod = metadataOf<RequestMethod>(METHOD_METADATA, handler);
    if (handler === undefined || requestMethod === undefined) {
      throw new ToolDeclarationError(
        `${source}: no route. Put @Get(), @Post() or another of Nest's method decorators on it, or move the tool to a provider.`,
      );
    }
    assertCallable(host, handler, source);

    const found = this.pathsOf(declaration, handler, requestMethod)[0];
    if (!found) throw new ToolDeclarationError(`${source}: its route has an empty list of paths.`);
    const selector = versionSelectorOf(this.config.getVersioning(), found.version);
    if (!selector) {
      throw new ToolDeclarationError(
        `${source}: cannot tell how to ask for version "${String(found.version)}", because the custom version extractor names it for no single header or query parameter. Make the route VERSION_NEUTRAL, or write a provider tool.`,
      );
    }
    const path = this.routerPathOf(found.path, source);
    const hosts = hostsOf(host, source);
    const versionHeader = versionHeaderOf(this.config.getVersioning());
    return {
      method: httpMethodOf(requestMethod, declaration),
      path,
      pattern: this.parse(path, source),
      ...selector,
      ...(versionHeader !== undefined && { versionHeader }),
      ...(hosts && { hosts }),
    };
  }

  /** Every place where a method is served, in Nest's order; `resolve` takes the first. */
  places(declaration: RouteMethod): RoutePlace[] {
    const { host, methodName } = declaration;
    const handler = methodOf(host, methodName);
    const requestMethod = metadataOf<RequestMethod>(METHOD_METADATA, handler);
    if (handler === undefined || requestMethod === undefined) return [];
    const hosts = hostsOf(host, host.name);
    return this.pathsOf(declaration, handler, requestMethod).map((path) => ({
      ...path,
      method: RequestMethod[requestMethod],
      ...(hosts && { hosts }),
    }));
  }

  /**
   * The pattern of a place where the router takes the first route that matches, as Express does;
   * `undefined` on other routers, and for a path that cannot be read.
   */
  orderedPatternOf({ path }: RoutePlace): readonly PathToken[] | undefined {
    if (this.adapterHost.httpAdapter?.getType() !== 'express') return undefined;
    return withFallback(() => this.parse(this.routerPathOf(path, path), path), undefined);
  }

  /** The first place of a method that no tool is made of; `undefined` if there is none. */
  addressOf(declaration: RouteMethod): RouteAddress | undefined {
    const [place] = this.places(declaration);
    const selector = place && versionSelectorOf(this.config.getVersioning(), place.version);
    if (!selector) return undefined;
    const query = new URLSearchParams(selector.query).toString();
    return { path: place.path, headers: selector.headers, query: query && `?${query}` };
  }

  private pathsOf(
    { host, wrapper }: Pick<RouteMethod, 'host' | 'wrapper'>,
    handler: object,
    requestMethod: RequestMethod,
  ): readonly RoutePath[] {
    return routePathsOf({
      config: this.config,
      modulePath: this.modulePathOf(wrapper),
      controllerPaths: listOf(metadataOf<OneOrMore<string>>(PATH_METADATA, host)),
      methodPaths: listOf(metadataOf<OneOrMore<string>>(PATH_METADATA, handler)),
      requestMethod,
      versions: this.versionsOf(host, handler),
    });
  }

  private versionsOf(host: object, handler: object): readonly RouteVersion[] {
    const versioning = this.config.getVersioning();
    if (!versioning) return [];
    return listOf(
      metadataOf<OneOrMore<RouteVersion>>(VERSION_METADATA, handler) ??
        metadataOf<OneOrMore<RouteVersion>>(VERSION_METADATA, host) ??
        versioning.defaultVersion,
    );
  }

  private modulePathOf({ host }: RouteMethod['wrapper']): string {
    const metatype = host?.metatype;
    if (!metatype) return '';
    return (
      // RouterModule writes per application, so two applications in one process do not collide.
      metadataOf<string>(MODULE_PATH + this.modules.applicationId, metatype) ??
      metadataOf<string>(MODULE_PATH, metatype) ??
      ''
    );
  }

  /** The path after the adapter has translated older notations. */
  private routerPathOf(path: string, source: string): string {
    // The translation compiles every path, which is most of the cost of resolving.
    if (!MAY_BE_OLD_NOTATION.test(path)) return path;
    const { httpAdapter } = this.adapterHost;
    return readable(path, source, () => httpAdapter?.normalizePath?.(path) ?? path);
  }

  private parse(path: string, source: string): readonly PathToken[] {
    const isFastify = this.adapterHost.httpAdapter?.getType() === 'fastify';
    return readable(path, source, () => (isFastify ? parseFindMyWay(path) : parse(path).tokens));
  }
}

function metadataOf<T>(key: string | symbol, target: object | undefined): T | undefined {
  return target && (Reflect.getMetadata(key, target) as T | undefined);
}

function assertCallable(host: Type<unknown>, handler: object, source: string): void {
  if (metadataOf(AGENT_ENDPOINT, host) !== undefined) {
    throw new ToolDeclarationError(
      `${source}: an endpoint of the agent itself cannot be a tool. Offer what it does by a provider tool.`,
    );
  }
  if (metadataOf(SSE_METADATA, handler) !== undefined) {
    throw new ToolDeclarationError(
      `${source}: a server-sent event stream cannot be a tool, because it has no one result. Write a provider tool that returns the Observable: earlier values become progress, the last one the result.`,
    );
  }
}

function hostsOf(host: Type<unknown>, source: string): RouteHosts | undefined {
  const declared = metadataOf<OneOrMore<string | RegExp>>(HOST_METADATA, host);
  return readable(String(declared), source, () => routeHostsOf(declared));
}

function httpMethodOf(requestMethod: RequestMethod, { options, source }: RouteDeclaration): string {
  const declared = RequestMethod[requestMethod];
  const wanted = options.method?.toUpperCase();
  if (requestMethod === RequestMethod.ALL) {
    if (wanted === 'ALL' || (wanted !== undefined && !(wanted in RequestMethod))) {
      throw new ToolDeclarationError(
        `${source}: "${options.method}" is not an HTTP method. Name one in @Tool({ method }), such as 'GET' or 'POST'.`,
      );
    }
    return wanted ?? 'ALL';
  }
  if (wanted !== undefined && wanted !== declared) {
    throw new ToolDeclarationError(
      `${source}: @Tool({ method: '${options.method}' }) contradicts the route, which is ${declared}. Leave it out; it is for @All() only.`,
    );
  }
  return declared;
}

/** @throws ToolDeclarationError in place of the errors of `read` */
function readable<T>(path: string, source: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new ToolDeclarationError(
      `${source}: its path "${path}" cannot be turned into a URL (${messageOf(cause)}). Use named parameters such as ":id" or "*path".`,
      { cause },
    );
  }
}
