import { type RequestMethod, type VERSION_NEUTRAL, VersioningType } from '@nestjs/common';
import { addLeadingSlash } from '@nestjs/common/utils/shared.utils';
import type { ApplicationConfig } from '@nestjs/core';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory';

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

/**
 * Every path of a route, in Nest's order of declaration: controller paths, method paths, versions. Nest's
 * own factory joins the parts, since its rules for prefixes and exclusions differ between releases.
 */
export function routePathsOf(parts: RoutePathParts): readonly RoutePath[] {
  const { config, modulePath, controllerPaths, methodPaths, requestMethod, versions } = parts;
  const factory = new RoutePathFactory(config);
  const versioningOptions = config.getVersioning();
  const shared = {
    modulePath,
    globalPrefix: addLeadingSlash(config.getGlobalPrefix()),
    ...(versioningOptions && { versioningOptions }),
    // All at once: older releases test the exclusions with all of them.
    ...(versions.length > 0 && { methodVersion: [...versions] }),
  };
  const isInPath = versioningOptions?.type === VersioningType.URI;
  const asked: readonly Pick<RoutePath, 'version'>[] =
    isInPath || versions.length === 0 ? [{}] : versions.map((version) => ({ version }));
  return controllerPaths.flatMap((ctrlPath, controllerPosition) =>
    methodPaths
      .flatMap((methodPath) => factory.create({ ...shared, ctrlPath, methodPath }, requestMethod))
      .flatMap((path) => asked.map((version) => ({ path, controllerPosition, ...version }))),
  );
}
