import {
  type RequestMethod,
  RequestMethod as Method,
  VERSION_NEUTRAL,
  type VersioningOptions,
  VersioningType,
} from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

/** One version, as `@Version` and `@Controller` take it. */
export type RouteVersion = string | typeof VERSION_NEUTRAL;

/** The parts of a route's declaration that form its URL. */
interface RoutePathParts {
  readonly config: ApplicationConfig;
  /** The prefix that `RouterModule` gives the controllers of its module. */
  readonly modulePath: string;
  readonly controllerPaths: readonly string[];
  readonly methodPaths: readonly string[];
  readonly requestMethod: RequestMethod;
  /** Empty if the route has no version or the application no versioning. */
  readonly versions: readonly RouteVersion[];
}

export interface RoutePath {
  /** As declared, with every prefix that Nest adds. */
  readonly path: string;
  /** Missing where the path itself has the version. */
  readonly version?: RouteVersion;
  /** Which of the controller's paths it begins with: Nest registers all routes of one before the next. */
  readonly controllerPosition: number;
}

/** Every path of a route, in Nest's order of declaration: controller paths, method paths, versions. */
export function routePathsOf(parts: RoutePathParts): readonly RoutePath[] {
  const versions = parts.versions.length > 0 ? parts.versions : [undefined];
  const isInPath = parts.config.getVersioning()?.type === VersioningType.URI;
  return parts.controllerPaths.flatMap((controllerPath, controllerPosition) =>
    parts.methodPaths.flatMap((methodPath) =>
      versions.map((version) => ({
        path: pathOf(parts, controllerPath, methodPath, version),
        controllerPosition,
        ...(version !== undefined && !isInPath && { version }),
      })),
    ),
  );
}

function pathOf(
  { config, modulePath, requestMethod }: RoutePathParts,
  controllerPath: string,
  methodPath: string,
  version: RouteVersion | undefined,
): string {
  const versionPath = versionPathOf(config.getVersioning(), version);
  const unversioned = [modulePath, controllerPath, methodPath].reduce(join, '');
  const globalPrefix = withLeadingSlash(config.getGlobalPrefix());
  // Nest matches the exclusions against the path without its version.
  const prefix = isExcluded(config, unversioned, requestMethod) ? '' : globalPrefix;
  const path = withLeadingSlash(withoutEndSlash(prefix) + join(versionPath, unversioned)) || '/';
  return path === '/' ? path : withoutEndSlash(path);
}

function versionPathOf(
  versioning: VersioningOptions | undefined,
  version: RouteVersion | undefined,
): string {
  if (versioning?.type !== VersioningType.URI) return '';
  if (version === undefined || version === VERSION_NEUTRAL) return '';
  return `/${versioning.prefix === false ? '' : (versioning.prefix ?? 'v')}${version}`;
}

function isExcluded(config: ApplicationConfig, path: string, method: RequestMethod): boolean {
  const excluded = config.getGlobalPrefixOptions().exclude ?? [];
  return excluded.some(
    ({ pathRegex, requestMethod }) =>
      // Nest writes `-1` for "all" in exclusions given as plain strings.
      (requestMethod === Method.ALL || Number(requestMethod) === -1 || requestMethod === method) &&
      pathRegex.test(withLeadingSlash(path)),
  );
}

function join(before: string, after: string): string {
  return after === '' ? before : withoutEndSlash(before) + withLeadingSlash(after);
}

function withLeadingSlash(path: string): string {
  return path === '' || path.startsWith('/') || path.startsWith('{/') ? path : `/${path}`;
}

function withoutEndSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
