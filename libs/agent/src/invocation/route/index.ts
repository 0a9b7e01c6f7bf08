export { AgentDepth, DEPTH_HEADER } from './request';
export * from './route-options.interface';
export * from './route.constants';
export * from './route.invoker';
export { isUndeclared, takesBody } from './input';
export { routeNameOf } from './request';
