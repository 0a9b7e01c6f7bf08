// A route call's HTTP request: method, URL, query, headers, caller.
export * from './agent-depth';
export { keepClient } from './chat-request';
export * from './route-arrival';
export * from './route-caller';
export * from './route-defaults';
export { RouteHandler } from './route-handler';
export * from './route-query-style';
export * from './route-request';
export * from './trace-headers';
