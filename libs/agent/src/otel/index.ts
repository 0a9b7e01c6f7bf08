// OpenTelemetry: spans and metrics of what the agent does, by the API alone. Only here is
// `@opentelemetry/api` loaded, which is an optional package.
export { otel } from './otel';
export type { SemanticConvention } from './convention.interface';
export type { CapturedPlace, CaptureContent, OtelOptions } from './otel-options';
