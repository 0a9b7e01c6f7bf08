import type { RetryOptions, ToolOffer } from '../tool';

/**
 * Defaults of all tools; see `ToolOptions` for those of one.
 *
 * @example
 * const tools: ToolDefaultOptions = { timeoutMs: 10_000, details: 'onDemand' };
 */
export interface ToolDefaultOptions {
  /** Milliseconds that one attempt of a call may take; 30 000 by default. */
  readonly timeoutMs?: number;
  /**
   * How failed calls of read-only and idempotent tools are tried again; a value left out keeps its
   * default.
   */
  readonly retry?: RetryOptions;
  /** Whether calls of one step that are `concurrencySafe` run side by side; `true` by default. */
  readonly parallel?: boolean;
  /** Calls of one step that run at a time; 8 by default. */
  readonly maxConcurrency?: number;
  /**
   * Characters of a result that the model gets to read; 20 000 by default. The rest is cut with a
   * notice.
   */
  readonly maxResultChars?: number;
  /**
   * How the model learns of the tools: `all` (the default) their whole definitions, `onDemand`
   * names and first sentences as far as these are short, and the tools `search_tools` and
   * `tool_detail` to look up the rest.
   */
  readonly details?: 'all' | 'onDemand';
  /**
   * `guarded` asks the guards of every tool before it is offered, as the option of `@Tool` does for
   * one; `always` by default.
   */
  readonly offer?: ToolOffer;
}
