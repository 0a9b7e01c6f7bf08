import type { RetryOptions, ToolOffer } from '../../tool';

/** The module's `tools` option: what every tool follows that says nothing else. */
export interface ToolDefaults {
  /** Milliseconds one attempt of a call may take. */
  readonly timeoutMs: number;
  readonly retry: Required<RetryOptions>;
  /** `false` runs the calls of a step one after another. */
  readonly parallel: boolean;
  /** Calls of one step that run at a time. */
  readonly maxConcurrency: number;
  /** Characters of a result that the model gets to read. */
  readonly maxResultChars: number;
  /** With `onDemand` the model gets names and summaries, and looks the rest up. */
  readonly details: 'all' | 'onDemand';
  /** Whether tools' guards are asked before they are offered. */
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
