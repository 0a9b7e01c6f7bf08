import type { ResultContent } from './content-block';
import type { JsonObject, JsonValue } from './json';
import type { Usage } from './usage';

/**
 * How a tool is executed: by a method of a provider, by a route of the application, by the caller
 * (in the browser), by a function registered at run time, by asking another agent, or as a custom
 * kind defines.
 */
export type ToolKind = 'provider' | 'route' | 'frontend' | 'function' | 'agent' | (string & {});

/**
 * The status of a run. `queued` waits for a worker, `requires_action` for the caller; `completed`,
 * `cancelled` and `failed` are final.
 */
export type RunStatus =
  | 'queued'
  | 'running'
  | 'completed'
  | 'requires_action'
  | 'cancelled'
  | 'failed';

/**
 * Why a run stopped.
 *
 * - `end_turn`: the model finished its answer
 * - `max_tokens`: the answer reached its token limit
 * - `refusal`: the model, or its provider's content filter, refused
 * - `max_steps`, `budget`: the module's options of these names
 * - `loop`: the model kept repeating the same call with the same result
 * - `requires_action`: the run waits for the caller
 * - `cancelled`, `error`: the run was cancelled or failed
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
 * The outcome of a call: it ran (`ok`), failed (`error`), was refused by the caller or a permission
 * (`declined`), got no answer in time (`expired`), or was stopped (`interrupted`).
 */
export type CallOutcome = 'ok' | 'error' | 'declined' | 'expired' | 'interrupted';

/** Why one model call ended: as `StopReason`, or because the model calls tools. */
export type FinishReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'error';

/**
 * An action that a run waits for: the caller's approval, a result from the browser, or another
 * party's answer.
 */
export interface PendingAction {
  /**
   * `approval` is answered with `approve` or `reject`, `frontend` with a `result`, `external` only
   * by the application, with `AgentService.settle`.
   */
  readonly type: 'approval' | 'frontend' | 'external';
  /** The pending call; the answer names it. */
  readonly callId: string;
  /** The tool's name. */
  readonly name: string;
  /** The arguments it will run with. */
  readonly input: JsonObject;
  /** When the action expires; ISO 8601. */
  readonly expiresAt: string;
  /** The asked agent whose call waits; missing for calls of the run's own agent. */
  readonly agent?: string;
}

/** An event of a run, without the envelope that numbers it. */
export type AgentEventBody =
  | {
      /** The run has begun: its first event. */
      readonly type: 'run.started';
      /** Empty for stateless runs. */
      readonly sessionId: string;
      /** The model's name. */
      readonly model: string;
    }
  | {
      /** A model call has begun to answer, or has ended without text. */
      readonly type: 'step.started';
      /** Counts the run's model calls from 1. */
      readonly step: number;
    }
  | {
      /** More of the model's thinking. */
      readonly type: 'thinking.delta';
      /** The next piece of text. */
      readonly delta: string;
    }
  | {
      /** More of the answer's text. */
      readonly type: 'text.delta';
      /** The next piece of text. */
      readonly delta: string;
    }
  | {
      /** More of the text of an agent that was asked; not part of the run's own answer. */
      readonly type: 'agent.text.delta';
      /** The next piece of text. */
      readonly delta: string;
      /** The asked agent. */
      readonly agent: string;
      /** The call that asked it. */
      readonly parentCallId: string;
    }
  | {
      /** More of a call's arguments. */
      readonly type: 'tool.input.delta';
      /** The call; its `tool.call` event follows. */
      readonly callId: string;
      /** The tool's name. */
      readonly name: string;
      /** How the tool is executed; `function` if there is no such tool. */
      readonly kind: ToolKind;
      /** The next piece of JSON. */
      readonly delta: string;
    }
  | {
      /** The model has requested a call. */
      readonly type: 'tool.call';
      /** The call's id, in every event about it. */
      readonly callId: string;
      /** The tool's name. */
      readonly name: string;
      /** How it is executed; `function` if there is no such tool. */
      readonly kind: ToolKind;
      /** The arguments. */
      readonly input: JsonObject;
      /** The action required before the call can have a result; missing if it runs at once. */
      readonly awaits?: PendingAction['type'];
    }
  | {
      /** Progress of a running tool. */
      readonly type: 'tool.progress';
      /** The call. */
      readonly callId: string;
      /** The emitted progress. */
      readonly data: JsonValue;
    }
  | {
      /** A call has its result: one for each `tool.call`. */
      readonly type: 'tool.result';
      /** The call. */
      readonly callId: string;
      /** The tool's name. */
      readonly name: string;
      /** The content for the model. */
      readonly output: ResultContent;
      /** Whether `output` is an error message. */
      readonly isError: boolean;
      /** Whole milliseconds that the tool ran, over all attempts; 0 if it did not run. */
      readonly durationMs: number;
      /** The outcome of the call. */
      readonly outcome: CallOutcome;
    }
  | {
      /** A page that the model cites as a source of its answer. */
      readonly type: 'source';
      /** Its address. */
      readonly url: string;
      /** Its title, if the provider gives one. */
      readonly title?: string;
    }
  | {
      /** The provider ran one of its own tools. */
      readonly type: 'provider.tool';
      /** The provider's id of the call. */
      readonly callId: string;
      /** The provider's name of the tool. */
      readonly name: string;
      /** The arguments of the call. */
      readonly input?: JsonObject;
      /** The result, as far as it can be shown. */
      readonly output?: JsonValue;
    }
  | {
      /** A message for the user; the run continues. */
      readonly type: 'notice';
      /** Stable, such as `attachment_not_seen`. */
      readonly code: string;
      /** Safe to show. */
      readonly message: string;
    }
  | {
      /** A call needs the caller's approval; the request ends with `requires_action`. */
      readonly type: 'approval.required';
      /** The call. */
      readonly callId: string;
      /** The tool's name. */
      readonly name: string;
      /** The arguments of the pending call. */
      readonly input: JsonObject;
      /** Why the call needs approval, for people to read. */
      readonly reason: string;
      /** When the approval expires; ISO 8601. */
      readonly expiresAt: string;
    }
  | {
      /** A call for the caller's browser to execute and to answer with a result. */
      readonly type: 'frontend.call';
      /** The call. */
      readonly callId: string;
      /** The tool's name. */
      readonly name: string;
      /** The arguments. */
      readonly input: JsonObject;
      /** When the call expires; ISO 8601. */
      readonly expiresAt: string;
    }
  | {
      /** One model call is over; its tools run next. */
      readonly type: 'step.finished';
      /** Counts the run's model calls from 1. */
      readonly step: number;
      /** The tokens of this model call. */
      readonly usage: Usage;
      /** Why the model stopped. */
      readonly finishReason: FinishReason;
    }
  | {
      /**
       * The events of these numbers are void: a worker stopped before it finished the step. The step
       * is sent again.
       */
      readonly type: 'step.discarded';
      /** The first number. */
      readonly from: number;
      /** The last number; some of the events may never have been sent. */
      readonly to: number;
    }
  | {
      /** A summary replaced older messages. */
      readonly type: 'compaction';
      /** Tokens of the model call without it. */
      readonly tokensBefore: number;
      /** Tokens of the model call with it. */
      readonly tokensAfter: number;
      /** Number of messages that the summary replaces. */
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
      /** The run, or its part up to a pending action, is over: its last event. */
      readonly type: 'run.finished';
      /** The run's status. */
      readonly status: RunStatus;
      /** Why it ended. */
      readonly stopReason: StopReason;
      /** The text of the last assistant message. */
      readonly message: string;
      /** The tokens of all model calls of the run. */
      readonly usage: Usage;
      /** The pending actions; empty unless `status` is `requires_action`. */
      readonly pendingActions: readonly PendingAction[];
    };

/**
 * The central type of the library: a run yields these events, every wire protocol encodes them,
 * audit and page consume them.
 */
export type AgentEvent = AgentEventBody & {
  /** The run it belongs to. */
  readonly runId: string;
  /** Rises from 1 within its run, with gaps only after a crash; the `id` of its frame on a stream. */
  readonly seq: number;
  /** The asked agent whose event it is; missing for events of the run's own agent. */
  readonly agent?: string;
  /** The call that asked that agent: a call of the run's own agent, or of another asked one. */
  readonly parentCallId?: string;
};

/** An event of one kind, or of several. */
export type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;
