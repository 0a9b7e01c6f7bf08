// The application's telemetry hooks, and the code that calls them. Nothing here depends on
// OpenTelemetry, and no hook delays a run.
export { type AgentTelemetry } from './agent-telemetry.interface';
export {
  type ObservedDispatch,
  type ObservedDispatchEnd,
  type ObservedModel,
  type ObservedModelCall,
  type ObservedModelCallEnd,
  type ObservedOrigin,
  type ObservedResponse,
  type ObservedRun,
  type ObservedRunEnd,
  type ObservedToolCall,
  type ObservedToolCallEnd,
} from './observed.interface';
export { type ObservedEvent } from './observed-event.interface';
export { type ObservedMeasure } from './observed-measure.interface';
export { type ObservedQueue } from './observed-queue.interface';
export { type TraceHeaders, type TraceIds } from './trace.interface';
export { errorCodeOf, failedEnd, originOf, Telemetry } from './telemetry';
