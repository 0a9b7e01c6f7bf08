import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import { anything, flag, count, oneOf, optionsOf, problemsOf, aFunction } from '../checks';
import { InvalidOptionsError } from '../tool';
import type { SemanticConvention } from './conventions';

/**
 * Where text of a conversation is written.
 *
 * @experimental
 */
export type CaptureContent = 'none' | 'span' | 'event' | 'span_and_event';

/**
 * The kind of a captured text.
 *
 * @experimental
 */
export type CapturedPlace =
  | 'system_instructions'
  | 'input.messages'
  | 'output.messages'
  | 'tool.definitions'
  | 'tool.call.arguments'
  | 'tool.call.result';

/**
 * Options of `otel()`.
 *
 * @experimental
 * @example
 * import type { OtelOptions } from 'nestjs-agent/otel';
 *
 * const options: OtelOptions = {
 *   captureContent: 'span',
 *   redact: (text) => text.replaceAll(/\b\d{16}\b/g, '[card]'),
 *   principal: 'hash',
 * };
 */
export interface OtelOptions {
  /**
   * Where prompts, messages, arguments and results are written: on spans, as span events, or not at
   * all. By default the environment variable `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`
   * decides; without it no content is written.
   */
  readonly captureContent?: CaptureContent;
  /**
   * Changes each captured text, including every text within arguments. If it throws, the text
   * becomes `[redacted]`. Arguments were already masked and redacted as in audit records.
   */
  readonly redact?: (value: string, where: CapturedPlace) => string;
  /** The most characters of an attribute with content; 8 000 by default. */
  readonly maxContentChars?: number;
  /** The names of spans and metrics; `latest` by default. New names come with a minor release. */
  readonly semconv?: SemanticConvention;
  /** Whether spans name the user in `user.id`, plainly or as a SHA-256; `none` by default. */
  readonly principal?: 'none' | 'hash' | 'plain';
  /** Whether metrics are recorded; `true` by default. */
  readonly metrics?: boolean;
  /** Replaces the global tracer provider. */
  readonly tracerProvider?: TracerProvider;
  /** Replaces the global meter provider. */
  readonly meterProvider?: MeterProvider;
}

const CHECK = optionsOf<OtelOptions>({
  captureContent: oneOf('none', 'span', 'event', 'span_and_event'),
  redact: aFunction,
  maxContentChars: count,
  semconv: oneOf('latest', '1.41'),
  principal: oneOf('none', 'hash', 'plain'),
  metrics: flag,
  tracerProvider: anything,
  meterProvider: anything,
});

/** @throws InvalidOptionsError for options that do not exist or do not fit */
export function checkOtelOptions(options: OtelOptions): void {
  const problems = problemsOf(CHECK, options, 'options');
  if (problems.length > 0) throw new InvalidOptionsError(problems, 'otel()');
}

/** The values of OpenTelemetry's environment variable, in both vocabularies in use. */
const SAID_IN_ENVIRONMENT: Readonly<Record<string, CaptureContent>> = {
  true: 'span_and_event',
  span_only: 'span',
  event_only: 'event',
  span_and_event: 'span_and_event',
};

export function captureContentOf({ captureContent }: OtelOptions): CaptureContent {
  if (captureContent !== undefined) return captureContent;
  const said = process.env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'] ?? '';
  const word = said.trim().toLowerCase();
  return Object.hasOwn(SAID_IN_ENVIRONMENT, word) ? (SAID_IN_ENVIRONMENT[word] ?? 'none') : 'none';
}
