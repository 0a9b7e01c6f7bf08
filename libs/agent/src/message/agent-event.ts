import type { ResultContent } from './content-block';
import type { JsonObject, JsonValue } from './json';
import type { Usage } from './usage';

/**
 * How a tool is carried out: by a method of a provider, by a route of the application, by the
 * caller (in the browser), by a function that was registered at run time, or as a tool of a kind of
 * its own says.
 */
export type ToolKind = 'provider' | 'route' | 'frontend' | 'function' | (string & {});

/**
 * Where a run stands. `requires_action` waits for the caller; `completed`, `cancelled` and `failed`
 * are final.
 */
export type RunStatus = 'running' | 'completed' | 'requires_action' | 'cancelled' | 'failed';

/**
 * Why a run stopped.
 *
 * - `end_turn`: the model had said all
 * - `max_tokens`: the model's answer reached its limit of tokens
 * - `refusal`: the model, or its provider's content filter, refused
 * - `max_steps`, `budget`: the module's options of these names
 * - `loop`: the model made the same call with the same result over and over
 * - `requires_action`: it waits for the caller
 * - `cancelled`, `error`: as they say
 */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'refusal'
  | 'max_steps'
  | 'budget'
  | 'loop'
  | 'requires_action'
  | 'cancelled'
  | 'error';

/**
 * What a call came to: it ran (`ok`), failed (`error`), was refused by the caller or the rules
 * (`declined`), was not answered in time (`expired`), or was stopped (`interrupted`).
 */
export type CallOutcome = 'ok' | 'error' | 'declined' | 'expired' | 'interrupted';

/** Why one model call ended: as `StopReason`, or because the model wants to use tools. */
export type FinishReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'error';

/** What a run waits for: the caller's consent, a result from the browser, or somebody else's answer. */
export interface PendingAction {
  /**
   * `approval` is answered with `approve` or `reject`, `frontend` with a `result`; `external` by the
   * application alone, with `AgentService.settle`.
   */
  readonly type: 'approval' | 'frontend' | 'external';
  /** The call that waits, which the answer names. */
  readonly callId: string;
  /** The tool's name. */
  readonly name: string;
  /** The arguments it will run with. */
  readonly input: JsonObject;
  /** When it can be answered no more; ISO 8601. */
  readonly expiresAt: string;
}

/** What happens in a run, without the envelope that numbers it. */
export type AgentEventBody =
  | {
      /** The run has begun: its first event. */
      readonly type: 'run.started';
      /** Empty of a run that is not kept. */
      readonly sessionId: string;
      /** The model's name. */
      readonly model: string;
    }
  | {
      /** A model call has begun to answer, or is over without a word. */
      readonly type: 'step.started';
      /** Counts the run's model calls from 1. */
      readonly step: number;
    }
  | {
      /** The model thinks on. */
      readonly type: 'thinking.delta';
      /** The next piece of text. */
      readonly delta: string;
    }
  | {
      /** The model answers on. */
      readonly type: 'text.delta';
      /** The next piece of text. */
      readonly delta: string;
    }
  | {
      /** The model writes the arguments of a call. */
      readonly type: 'tool.input.delta';
      /** The call that will follow as `tool.call`. */
      readonly callId: string;
      /** The tool's name. */
      readonly name: string;
      /** How the tool is carried out; `function` where there is no such tool. */
      readonly kind: ToolKind;
      /** The next piece of JSON. */
      readonly delta: string;
    }
  | {
      /** The model has asked for a call. */
      readonly type: 'tool.call';
      /** Names the call in every event about it. */
      readonly callId: string;
      /** The tool's name. */
      readonly name: string;
      /** How it is carried out; `function` where there is no such tool. */
      readonly kind: ToolKind;
      /** The arguments. */
      readonly input: JsonObject;
      /** Who has to act before the call can have a result; missing where it runs at once. */
      readonly awaits?: PendingAction['type'];
    }
  | {
      /** A running tool tells how far it is. */
      readonly type: 'tool.progress';
      /** The call. */
      readonly callId: string;
      /** What the tool emitted. */
      readonly data: JsonValue;
    }
  | {
      /** A call has its result: one for each `tool.call`. */
      readonly type: 'tool.result';
      /** The call. */
      readonly callId: string;
      /** The tool's name. */
      readonly name: string;
      /** What the model reads. */
      readonly output: ResultContent;
      /** Whether it says why there is no result. */
      readonly isError: boolean;
      /** Milliseconds that the tool took, all attempts together; 0 where it did not run. */
      readonly durationMs: number;
      /** What the call came to. */
      readonly outcome: CallOutcome;
    }
  | {
      /** A page that the model names as a source of its answer. */
      readonly type: 'source';
      /** Its address. */
      readonly url: string;
      /** Its title, where the provider gives one. */
      readonly title?: string;
    }
  | {
      /** The provider ran a tool of its own. */
      readonly type: 'provider.tool';
      /** The provider's id of the call. */
      readonly callId: string;
      /** What the provider calls the tool. */
      readonly name: string;
      /** What it was asked. */
      readonly input?: JsonObject;
      /** What it answered, as far as that can be shown. */
      readonly output?: JsonValue;
    }
  | {
      /** Something that the user should know of, though the run goes on. */
      readonly type: 'notice';
      /** Stable, such as `attachment_not_seen`. */
      readonly code: string;
      /** Safe to show. */
      readonly message: string;
    }
  | {
      /** A call needs the caller's consent; the request ends with `requires_action`. */
      readonly type: 'approval.required';
      /** The call. */
      readonly callId: string;
      /** The tool's name. */
      readonly name: string;
      /** The arguments it would run with. */
      readonly input: JsonObject;
      /** Why it asks, for people to read. */
      readonly reason: string;
      /** When it can be answered no more; ISO 8601. */
      readonly expiresAt: string;
    }
  | {
      /** The caller's browser is to carry a call out and to deliver its result. */
      readonly type: 'frontend.call';
      /** The call. */
      readonly callId: string;
      /** The tool's name. */
      readonly name: string;
      /** The arguments. */
      readonly input: JsonObject;
      /** When a result comes too late; ISO 8601. */
      readonly expiresAt: string;
    }
  | {
      /** One model call is over; its tools run next. */
      readonly type: 'step.finished';
      /** Counts the run's model calls from 1. */
      readonly step: number;
      /** What this model call consumed. */
      readonly usage: Usage;
      /** Why the model stopped. */
      readonly finishReason: FinishReason;
    }
  | {
      /** A summary took the place of older messages. */
      readonly type: 'compaction';
      /** Tokens of the model call without it. */
      readonly tokensBefore: number;
      /** Tokens of the model call with it. */
      readonly tokensAfter: number;
      /** How many messages the summary stands for. */
      readonly messages: number;
    }
  | {
      /** The run fails; `run.finished` follows. */
      readonly type: 'error';
      /** Stable, such as `model_rate_limited`. */
      readonly code: string;
      /** Safe to show. */
      readonly message: string;
    }
  | {
      /** The run, or its part up to a wait, is over: its last event. */
      readonly type: 'run.finished';
      /** How it ended. */
      readonly status: RunStatus;
      /** Why it ended. */
      readonly stopReason: StopReason;
      /** The text of the last assistant message. */
      readonly message: string;
      /** What the run's model calls consumed together. */
      readonly usage: Usage;
      /** What it waits for; empty unless `status` is `requires_action`. */
      readonly pendingActions: readonly PendingAction[];
    };

/**
 * The hub of the library: a run yields these, every wire protocol encodes them, audit and page
 * consume them.
 */
export type AgentEvent = AgentEventBody & {
  /** The run it belongs to. */
  readonly runId: string;
  /** Counts from 1, by one, within its run; the `id` of its frame on a stream. */
  readonly seq: number;
};
