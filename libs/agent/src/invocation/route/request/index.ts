// A route call's HTTP request: method, URL, query, headers, caller.
export { AgentDepth, DEPTH_HEADER } from './agent-depth';
export { keepClient } from './chat-request';
export { RouteArrival } from './route-arrival';
export {
  callerDigest,
  callerHeadersOf,
  callerOf,
  hasCredentials,
  hostnameOf,
  leftBehindOf,
} from './route-caller';
export {
  routeInWords,
  routeNameOf,
  withMethod,
  withRouteName,
  withTraitsOf,
} from './route-defaults';
export { RouteHandler } from './route-handler';
export { queryStyleOf } from './route-query-style';
export { type BoundRequest, routeRequestOf } from './route-request';
export { traceHeadersOf, withTrace } from './trace-headers';
