import type { CompactionOptions } from '../session';
import type { SystemPrompt } from './system-prompt';

/** What a model's tokens cost, in any one currency. */
export interface TokenPrices {
  /** Per million tokens. */
  readonly input: number;
  /** Per million tokens. */
  readonly output: number;
}

/** What one run may consume. Whatever is exceeded, the run ends with `stopReason: 'budget'`. */
export interface RunBudget {
  /** Tokens of all model calls together. */
  readonly totalTokens?: number;
  readonly toolCalls?: number;
  /**
   * What the run's tokens may cost, by the prices of the models' names. A model without a price
   * ends the run before its first call: what cannot be counted is not spent.
   *
   * @example
   * budget: { cost: { max: 0.05, prices: { 'gpt-4.1-mini': { input: 0.4, output: 1.6 } } } }
   */
  readonly cost?: {
    readonly max: number;
    readonly prices: Readonly<Record<string, TokenPrices>>;
  };
  /** Milliseconds from the request's start to its end; waiting for an approval is not counted. */
  readonly durationMs?: number;
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
  readonly runsPerPrincipal: number;
  readonly leaseMs: number;
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
