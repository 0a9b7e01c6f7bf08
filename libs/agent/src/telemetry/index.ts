// What watches the agent from outside: the hooks that an application may set, and what calls them.
// Nothing here knows of OpenTelemetry, and no hook holds up what it watches.
export {
  type AgentTelemetry,
  type ObservedEvent,
  type TraceHeaders,
  type ObservedModelCall,
} from './agent-telemetry.interface';
export { errorCodeOf, failedEnd, originOf, Telemetry } from './telemetry';
