// The vocabulary of a call: its options, state, context, errors and response. Types and small
// functions; nothing here runs a tool.
export {
  DEFAULT_TOOL_DEFAULTS,
  type ToolDefaultOptions,
  type ToolDefaults,
} from './tool-defaults.interface';
export { LiveToolContext } from './live-tool-context';
export * from './failures';
export { Deliveries, deliveryFrom, type Delivery, type SharedDeliveries } from './deliveries';
export { AWAITED, type Settlement } from './call-response';
export { jsonValueOf, jsonText, withinDepth } from './json-text';
export { Execution } from './execution';
export { untilAborted } from './until-aborted';
export { type CallOptions } from './call-options.interface';
export { type CallState, CheckedCall } from './checked-call';
export { CallWatches, WatchedCall, type WatchedStage } from './call-watch';
