import type { AgentTelemetry } from '../telemetry';
import { requireVersion } from '../tool';
import { checkOtelOptions, type OtelOptions } from './otel-options';
import { OtelTelemetry } from './otel.telemetry';

/**
 * Traces and metrics of the agent, through the OpenTelemetry API. Without an SDK it has no effect:
 * start one before the application, as for other instrumentations.
 *
 * Spans and metrics have the names of the semantic conventions of generative AI, which are in
 * development: they may change in a minor release.
 *
 * @experimental
 * @param options all of them have a default
 * @throws InvalidOptionsError for options that do not exist or do not fit
 * @throws MissingPackageError if the version of `@opentelemetry/api` is too old
 * @see https://github.com/open-telemetry/semantic-conventions-genai
 * @example
 * import { otel } from 'nestjs-agent/otel';
 *
 * AgentModule.forRoot({ telemetry: otel({ captureContent: 'none' }) });
 */
export function otel(options: OtelOptions = {}): AgentTelemetry {
  requireVersion('@opentelemetry/api', 'otel()');
  checkOtelOptions(options);
  return new OtelTelemetry(options);
}
