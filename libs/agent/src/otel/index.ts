/**
 * Traces and metrics of the agent through OpenTelemetry. Needs the optional peer
 * `@opentelemetry/api`, which no other part of the package loads.
 *
 * @module nestjs-agent/otel
 */
export { otel } from './otel';
export type { SemanticConvention } from './conventions';
export type { CapturedPlace, CaptureContent, OtelOptions } from './otel-options';
