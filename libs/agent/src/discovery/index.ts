// Finds tools among the application's providers and controllers, and the URLs of its routes.
export { isSingleton } from './component';
export { type DiscoveredTool } from './discovered-tool';
export { SCAN_OPTIONS, EXPOSED_CONTROLLERS } from './discovery.constants';
export { DISCOVERY_PROVIDERS } from './discovery.providers';
export { AGENT_ENDPOINT } from './route.constants';
export {
  type RouteHosts,
  pathParametersOf,
  type PathToken,
  sharedParametersOf,
  RouteShadows,
  type ResolvedRoute,
  type RouteAddress,
  RouteResolver,
} from './routes';
export type {
  ControllerExposure,
  ScanOptions,
  ExposedController,
  ExposedRoutes,
} from './scan-options.interface';
export { ToolScanner } from './tool.scanner';
