import type { TokenPrices } from '../../message';
import type { CompactionOptions } from '../../session';
import type { AttachmentLimits } from './attachments';
import type { SystemPrompt } from './system-prompt';

/**
 * The budget of one run; unlimited by default. A run that exceeds it ends with `stopReason:
 * 'budget'`.
 *
 * @example
 * const budget: RunBudget = {
 *   totalTokens: 100_000,
 *   durationMs: 60_000,
 *   cost: { max: 0.05, prices: { 'gpt-4.1-mini': { input: 0.4, output: 1.6 } } },
 * };
 */
export interface RunBudget {
  /** Tokens of all model calls; checked before each call. */
  readonly totalTokens?: number;
  /** The maximum number of tool calls; further calls are refused. */
  readonly toolCalls?: number;
  /**
   * The maximum cost of the run's tokens. A model without a price ends the run before its first
   * call.
   */
  readonly cost?: {
    /** The limit, in the currency of the prices. */
    readonly max: number;
    /** Prices by the model's name, as clients see it. */
    readonly prices: Readonly<Record<string, TokenPrices>>;
  };
  /** Milliseconds from the request's start to its end, without the wait for approvals. */
  readonly durationMs?: number;
}

/**
 * An agent that this agent may ask. It becomes a tool.
 *
 * @example
 * const research: AskableAgent = { name: 'research', as: 'look_it_up' };
 */
export interface AskableAgent {
  /** The agent's name. */
  readonly name: string;
  /** The name of the tool; `ask_<name>` by default. */
  readonly as?: string;
  /** The description of the tool; the agent's own by default. */
  readonly description?: string;
}

/**
 * Handling of active runs on shutdown.
 *
 * @example
 * const shutdown: ShutdownOptions = { drainMs: 20_000, deadlineMs: 5_000 };
 */
export interface ShutdownOptions {
  /**
   * Milliseconds that active runs may continue after `app.close()`; new runs are refused. 0 by
   * default. Remaining runs are stopped and stored as failed.
   */
  readonly drainMs?: number;
  /**
   * Milliseconds after which `app.close()` stops waiting for the session store, the queue and the
   * audit sink, counted from the end of `drainMs`; 10 000 by default. One half is for pending writes
   * and the queue, the other for closing.
   */
  readonly deadlineMs?: number;
}

/**
 * The tokens that one principal may spend within a time window.
 *
 * @example
 * const quota: TokenQuota = { tokens: 500_000, windowMs: 24 * 3_600_000 };
 */
export interface TokenQuota {
  /** Tokens of all model calls. */
  readonly tokens: number;
  /** Milliseconds of the window, which ends now; counted in whole minutes. */
  readonly windowMs: number;
}

/**
 * The money that one principal may spend within a time window.
 *
 * @example
 * const quota: CostQuota = {
 *   max: 2,
 *   windowMs: 24 * 3_600_000,
 *   prices: { 'gpt-4.1-mini': { input: 0.4, output: 1.6 } },
 * };
 */
export interface CostQuota {
  /** The limit, in the currency of the prices. */
  readonly max: number;
  /** Milliseconds of the window, which ends now; counted in whole minutes. */
  readonly windowMs: number;
  /** Prices by the model's name. Every model must have one, also one used earlier in the window. */
  readonly prices: Readonly<Record<string, TokenPrices>>;
}

/** The module's options for runs, with defaults. */
export interface RunOptions {
  /** The agent's name. */
  readonly name: string;
  /** The name of a further agent, stored with its sessions; missing for the application's own. */
  readonly agent?: string;
  /** The agent's purpose. */
  readonly description: string;
  /** The agents that it may ask. */
  readonly agents: readonly AskableAgent[];
  readonly systemPrompt: SystemPrompt;
  /** Model calls per run. */
  readonly maxSteps: number;
  /** Output tokens per model call. */
  readonly maxTokens: number;
  readonly budget: RunBudget;
  readonly messageChars: number;
  /** `false` disables attachments. */
  readonly attachments: Required<AttachmentLimits> | false;
  /** The model options that callers may set. */
  readonly modelOptions: readonly string[];
  readonly runsPerPrincipal: number;
  /** The maximum of runs that wait for a worker. */
  readonly queued: number;
  /** Milliseconds that a run may wait for a worker. */
  readonly queueTimeoutMs: number;
  readonly tokensPerPrincipal?: TokenQuota;
  readonly costPerPrincipal?: CostQuota;
  /** Milliseconds after which usage is removed from the ledger. */
  readonly usageKeptMs: number;
  readonly leaseMs: number;
  /** Milliseconds that active runs may continue on shutdown. */
  readonly drainMs: number;
  /** Whether runs without readers are cancelled, so that readers must be counted. */
  readonly isAttendanceKept: boolean;
  /** Milliseconds from a session's last use to its removal; `false` never removes sessions. */
  readonly expireAfterMs: number | false;
  /** `false` disables compaction. */
  readonly compaction: CompactionOptions | false;
  /** Milliseconds between two sweeps of expired sessions. */
  readonly sweepEveryMs: number;
  /** Milliseconds until a pending action expires. */
  readonly actionTimeoutMs: number;
  /** `false` disables frontend tools. */
  readonly frontendTools:
    | { readonly timeoutMs: number; readonly maxCount: number; readonly maxBytes: number }
    | false;
}
