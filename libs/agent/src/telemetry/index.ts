// The application's telemetry hooks, and the code that calls them. Nothing here depends on
// OpenTelemetry, and no hook delays a run.
export type { AgentTelemetry, ObservedQueue } from './agent-telemetry.interface';
export type {
  ObservedAnswerContent,
  ObservedCallContent,
  ObservedDispatch,
  ObservedDispatchEnd,
  ObservedEnd,
  ObservedModel,
  ObservedModelCall,
  ObservedModelCallEnd,
  ObservedOrigin,
  ObservedRequestContent,
  ObservedResponse,
  ObservedResultContent,
  ObservedRun,
  ObservedRunEnd,
  ObservedToolCall,
  ObservedToolCallEnd,
  ObservedStep,
  ObservedStepEnd,
} from './observed.interface';
export { type ObservedEvent } from './observed-event.interface';
export { type ObservedMeasure } from './observed-measure.interface';
export { type TraceHeaders, type TraceIds } from './trace.interface';
export { errorCodeOf, failedEnd, originOf, Telemetry } from './telemetry';
