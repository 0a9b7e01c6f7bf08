import type { RetryOptions, ToolOffer } from '../../tool';

/** The module's `tools` option: defaults of all tools. */
export interface ToolDefaults {
  /** Milliseconds per attempt of a call. */
  readonly timeoutMs: number;
  readonly retry: Required<RetryOptions>;
  /** `false` runs the calls of a step one after another. */
  readonly parallel: boolean;
  /** Concurrent calls of one step. */
  readonly maxConcurrency: number;
  /** Maximum characters of a result for the model. */
  readonly maxResultChars: number;
  /** With `onDemand` the model gets names and summaries and looks up details. */
  readonly details: 'all' | 'onDemand';
  /** Whether tools' guards are checked before the tools are offered. */
  readonly offer: ToolOffer;
}

export const DEFAULT_TOOL_DEFAULTS: ToolDefaults = {
  timeoutMs: 30_000,
  retry: { maxAttempts: 3, initialBackoffMs: 1_000, backoffMultiplier: 2, maxBackoffMs: 30_000 },
  parallel: true,
  maxConcurrency: 8,
  maxResultChars: 20_000,
  details: 'all',
  offer: 'always',
};
