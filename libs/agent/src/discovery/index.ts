export * from './component';
export * from './component.finder';
export * from './discovered-tool';
export * from './discovery.constants';
export * from './discovery.providers';
export type { RouteHosts } from './route-host';
export {
  type PathParameter,
  pathParametersOf,
  type PathToken,
  sharedParametersOf,
} from './route-pattern';
export * from './route-shadows';
export * from './route.constants';
export * from './route.resolver';
export * from './scan-options.interface';
export * from './tool.scanner';
