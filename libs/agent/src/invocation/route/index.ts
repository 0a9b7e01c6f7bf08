// Calls of route tools: the request of a call's arguments, and its response as a result.
export { AgentDepth, callerOf, DEPTH_HEADER, hostnameOf, keepClient } from './request';
export * from './route-options';
export * from './route.invoker';
export { isUndeclared, takesBody } from './input';
export { routeNameOf } from './request';
