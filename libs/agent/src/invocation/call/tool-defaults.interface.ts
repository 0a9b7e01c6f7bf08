import type { RetryOptions, ToolOffer } from '../../tool';

/**
 * Defaults of all tools; see `ToolOptions` for those of one.
 *
 * @example
 * const tools: ToolDefaultOptions = { timeoutMs: 10_000, details: 'onDemand' };
 */
export interface ToolDefaultOptions {
  /** Timeout of one attempt of a call in milliseconds; 30 000 by default. */
  readonly timeoutMs?: number;
  /**
   * How failed calls of read-only and idempotent tools are retried; a value that is left out keeps its
   * default.
   */
  readonly retry?: RetryOptions;
  /** Whether `concurrencySafe` calls of one step run in parallel; `true` by default. */
  readonly parallel?: boolean;
  /** The most concurrent calls of one step; 8 by default. */
  readonly maxConcurrency?: number;
  /**
   * The most characters of a result for the model; 20 000 by default. The rest is cut off with a
   * notice.
   */
  readonly maxResultChars?: number;
  /**
   * The form in which the model gets the tools: `all` (the default) sends their definitions;
   * `onDemand` sends a short list of names and first sentences, and the tools `search_tools` and
   * `tool_detail` to look up the rest.
   */
  readonly details?: 'all' | 'onDemand';
  /**
   * `guarded` runs the guards of every tool before it is offered, as the option of `@Tool` does for
   * one tool; `always` by default.
   */
  readonly offer?: ToolOffer;
}

/** The module's `tools` option, defaults filled in. */
export type ToolDefaults = Required<ToolDefaultOptions> & {
  readonly retry: Required<RetryOptions>;
};

export const DEFAULT_TOOL_DEFAULTS: ToolDefaults = {
  timeoutMs: 30_000,
  retry: { maxAttempts: 3, initialBackoffMs: 1_000, backoffMultiplier: 2, maxBackoffMs: 30_000 },
  parallel: true,
  maxConcurrency: 8,
  maxResultChars: 20_000,
  details: 'all',
  offer: 'always',
};
