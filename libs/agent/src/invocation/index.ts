// The one path of every tool call: checks, permission, execution, result, audit.
export * from './audit';
export {
  AWAITED,
  callOutcomeOf,
  CallWatches,
  jsonValueOf,
  type WatchedStage,
  type Settlement,
  ToolTimeoutError,
  CallInterruptedError,
  type CallOptions,
  type Delivery,
  deliveryFrom,
  type SharedDeliveries,
  Deliveries,
  type ToolDefaultOptions,
  type ToolDefaults,
  DEFAULT_TOOL_DEFAULTS,
  withinDepth,
} from './call';
export * from './catalog';
export {
  ApplicationDispatcher,
  type Arrival,
  ArrivalGuard,
  type Destination,
  destinationOf,
  hasCallerGuard,
} from './dispatch';
export { DetachedResponse, filteredError, GuardProbe } from './enhancers';
export { executeAll } from './execute-all';
export { buildFrontendTool } from './frontend';
export * from './invocation.constants';
export { INVOCATION_PROVIDERS } from './invocation.providers';
export { type MarkedTool, MarkedTools, type MarkedToolsOf, ToolLoader } from './loading';
export { type PermissionOptions, PermissionRules } from './permission';
export {
  type Presets,
  type ValidationOptions,
  CONTEXT_INSTANCES,
  PresetRules,
  VALIDATION_OPTIONS,
  ProviderInvoker,
} from './provider';
export { MAX_RESPONSE_BYTES, resultContentOf } from './result';
export {
  AgentDepth,
  callerOf,
  DEPTH_HEADER,
  hostnameOf,
  keepClient,
  ROUTE_OPTIONS,
  routeNameOf,
  type RouteOptions,
  takesBody,
} from './route';
export { inTime, type ToolInterceptor } from './stages';
export { ToolCallFactory } from './tool-call.factory';
export { ToolExecutor } from './tool.executor';
export type { CallAnswer } from './waiting-calls';
