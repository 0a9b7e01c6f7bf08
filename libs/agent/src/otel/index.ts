/**
 * Traces and metrics of the agent by OpenTelemetry. Needs the optional peer `@opentelemetry/api`, which
 * nothing else of the package loads.
 *
 * @module nestjs-agent/otel
 */
export { otel } from './otel';
export type { SemanticConvention } from './conventions';
export type { CapturedPlace, CaptureContent, OtelOptions } from './otel-options';
