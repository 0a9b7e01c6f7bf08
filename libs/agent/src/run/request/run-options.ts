import type { CompactionOptions } from '../../session';
import type { AttachmentLimits } from './attachments';
import type { SystemPrompt } from './system-prompt';

/**
 * What a million of a model's tokens cost, in any one currency.
 *
 * @example
 * const prices: TokenPrices = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 };
 */
export interface TokenPrices {
  /** A million tokens that are sent. */
  readonly input: number;
  /** A million tokens that the model writes. */
  readonly output: number;
  /** A million tokens that are sent and that the provider has in its cache; `input` by default. */
  readonly cachedInput?: number;
  /** A million tokens that are sent and that it puts into its cache; `input` by default. */
  readonly cacheWrite?: number;
  /** A million tokens that the model thinks; `output` by default. */
  readonly reasoning?: number;
}

/**
 * What one run may consume. Whatever is exceeded, the run ends with `stopReason: 'budget'`. Nothing
 * is bounded by default.
 *
 * @example
 * const budget: RunBudget = {
 *   totalTokens: 100_000,
 *   durationMs: 60_000,
 *   cost: { max: 0.05, prices: { 'gpt-4.1-mini': { input: 0.4, output: 1.6 } } },
 * };
 */
export interface RunBudget {
  /** Tokens of all model calls together; checked before each one. */
  readonly totalTokens?: number;
  /** Calls that the model asks for; one more is not run. */
  readonly toolCalls?: number;
  /**
   * What the run's tokens may cost, by the prices of the models' names. A model without a price
   * ends the run before its first call: what cannot be counted is not spent.
   */
  readonly cost?: {
    /** In the currency of the prices. */
    readonly max: number;
    /** By the models' names, as clients see them. */
    readonly prices: Readonly<Record<string, TokenPrices>>;
  };
  /** Milliseconds from the request's start to its end; waiting for an approval is not counted. */
  readonly durationMs?: number;
}

/**
 * How the application's end treats what is under way.
 *
 * @example
 * const shutdown: ShutdownOptions = { drainMs: 20_000, deadlineMs: 5_000 };
 */
export interface ShutdownOptions {
  /**
   * Milliseconds that runs under way may go on for after `app.close()`, while no new ones are taken;
   * 0 by default. What is left then is stopped, and stored as failed.
   */
  readonly drainMs?: number;
  /**
   * Milliseconds after which `app.close()` goes on whatever the session store and the audit sink do,
   * counted from the end of `drainMs`; 10 000 by default. Half of it is for what has to be stored,
   * half for closing them.
   */
  readonly deadlineMs?: number;
}

/** The module's options that a run follows, defaults filled in. */
export interface RunOptions {
  /** The agent's name. */
  readonly name: string;
  readonly systemPrompt: SystemPrompt;
  /** Model calls per run. */
  readonly maxSteps: number;
  /** Output tokens per model call. */
  readonly maxTokens: number;
  readonly budget: RunBudget;
  readonly messageChars: number;
  /** `false` where nothing may be attached. */
  readonly attachments: Required<AttachmentLimits> | false;
  /** The names of the model's options that callers may choose. */
  readonly modelOptions: readonly string[];
  readonly runsPerPrincipal: number;
  readonly leaseMs: number;
  /** Milliseconds that runs may go on for once the application closes. */
  readonly drainMs: number;
  /** Whether it matters to runs that somebody reads them. */
  readonly isAttendanceKept: boolean;
  /** Milliseconds after its last use that a session goes; `false` keeps sessions for good. */
  readonly expireAfterMs: number | false;
  /** `false` where histories may grow for ever. */
  readonly compaction: CompactionOptions | false;
  /** Milliseconds between two looks for expired sessions. */
  readonly sweepEveryMs: number;
  /** How long an approval or a parked frontend call can be answered, in milliseconds. */
  readonly actionTimeoutMs: number;
  /** `false` where frontend tools are refused. */
  readonly frontendTools:
    { readonly timeoutMs: number; readonly maxCount: number; readonly maxBytes: number } | false;
}
