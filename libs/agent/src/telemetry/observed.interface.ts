import type {
  FinishReason,
  RunStatus,
  StopReason,
  ToolKind,
  Usage,
  ContentBlock,
  JsonObject,
  Message,
  ResultContent,
} from '../message';
import type { ToolResponseStatus, ToolDefinition } from '../tool';
import type { TraceHeaders, TraceIds } from './trace.interface';

/** The agent, run, session and caller of a piece of work. */
export interface ObservedOrigin {
  /** The agent's name. */
  readonly agent: string;
  /** The run; missing outside runs. */
  readonly runId?: string;
  /** The session; missing for stateless runs. */
  readonly sessionId?: string;
  /** The logged-in user's id; missing for anonymous callers. */
  readonly principal?: string;
}

/** A model, by name. */
export interface ObservedModel {
  /** The model's name. */
  readonly model: string;
  /** Its `provider`; `custom` if the model names none. */
  readonly provider: string;
}

/** A run, or its part up to a wait. */
export interface ObservedRun extends ObservedOrigin, Partial<ObservedModel> {
  /** The run's id. */
  readonly runId: string;
  /**
   * The reason: a message (`start`), answers to its pending actions (`resume`), or the next request
   * after its process died (`recovery`), which ends its open calls.
   */
  readonly reason: 'start' | 'resume' | 'recovery';
  /** The result of `AgentTelemetry.trace` when the run began to wait; missing unless it continues. */
  readonly waitedIn?: TraceIds;
  /** The result of `trace` in the process that queued the run; missing unless a worker executes it. */
  readonly requestedIn?: TraceIds;
}

/** The end of a run, or of its part up to a wait. */
export interface ObservedRunEnd {
  /** The run's status; `requires_action` if it waits. */
  readonly status: RunStatus;
  /** The reason for the end. */
  readonly stopReason: StopReason;
  /** The tokens of the whole run so far, including the parts before a wait. */
  readonly usage: Usage;
  /** The steps of the whole run so far. */
  readonly steps: number;
  /** The code of the failure, such as `model_rate_limited` or `lease_lost`; missing without one. */
  readonly errorCode?: string;
}

/** One step of a run: a model call and the tool calls that the model requests. */
export interface ObservedStep extends ObservedOrigin {
  /** Counts from 1. */
  readonly step: number;
  /** `resume` if the step continues with calls that waited for approval. */
  readonly reason: 'start' | 'resume';
}

/** The end of work that may fail or be stopped. */
export interface ObservedEnd {
  /** `cancelled` if it was stopped from outside. */
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** The code of the failure; missing without one. */
  readonly errorCode?: string;
}

/** The end of a step. */
export type ObservedStepEnd = ObservedEnd;

/** One call of one model. An adapter's further attempts to connect are its `retry` events. */
export interface ObservedModelCall extends ObservedOrigin, ObservedModel {
  /**
   * The purpose: an answer (`step`), the answer again after a failure (`retry`), the next model of a
   * fallback (`fallback`), a summary of the history (`compaction`), or `AgentService.generate`.
   */
  readonly reason: 'step' | 'retry' | 'fallback' | 'compaction' | 'generate';
  /** Counts from 1. */
  readonly attempt: number;
  /** Maximum tokens of the answer. */
  readonly maxTokens?: number;
  /** The sampling temperature. */
  readonly temperature?: number;
  /** Stop sequences: the answer ends before one of them. */
  readonly stop?: readonly string[];
  /** Whether a summary replaces the beginning of the conversation. */
  readonly isCompacted: boolean;
  /** The request; see `AgentTelemetry.seesContent`. */
  readonly content?: ObservedRequestContent;
}

/** The end of a model call. */
export interface ObservedModelCallEnd extends ObservedEnd {
  /** Why the answer ended; missing if it was cut off. */
  readonly finishReason?: FinishReason;
  /** The tokens that the provider counted; missing if it does not count. */
  readonly usage?: Usage;
  /** The provider's data about its answer; missing if the model reports none. */
  readonly response?: ObservedResponse;
  /**
   * Milliseconds from the call to the first piece of the answer, then from piece to piece; pieces
   * that arrive within a millisecond count as one.
   */
  readonly chunkMs: readonly number[];
  /** The answer; see `AgentTelemetry.seesContent`. */
  readonly content?: ObservedAnswerContent;
}

/** A provider's data about its answer. */
export interface ObservedResponse {
  /** The provider's id of the answer. */
  readonly id?: string;
  /** The model that answered, such as a dated version. */
  readonly model?: string;
  /** The provider's own finish reason. */
  readonly finishReason?: string;
}

/** One call of a tool, with all its attempts. */
export interface ObservedToolCall extends ObservedOrigin {
  /** The call's id. */
  readonly callId: string;
  /** The tool's name. */
  readonly tool: string;
  /** How the tool is executed. */
  readonly kind: ToolKind;
  /**
   * The kind of execution: a call (`call`), a call after its approval (`approved`), or the delivered
   * result of a call of an earlier part of the run (`delivered`), which takes no time.
   */
  readonly reason: 'call' | 'approved' | 'delivered';
  /** The tool's description. */
  readonly description?: string;
  /** Whether it was approved, for this call or for the session. */
  readonly approval: 'none' | 'approved' | 'remembered' | 'declined' | 'expired';
  /** The arguments; see `AgentTelemetry.seesContent`. */
  readonly content?: ObservedCallContent;
}

/** The end of a tool call. */
export interface ObservedToolCallEnd {
  /** The call's status; `awaiting_result` if another party delivers the result. */
  readonly status: ToolResponseStatus;
  /** Number of attempts; 0 for a cached result. */
  readonly attempts: number;
  /** The code of the failure; missing without one, as for a call that was stopped from outside. */
  readonly errorCode?: string;
  /** The result; see `AgentTelemetry.seesContent`. */
  readonly content?: ObservedResultContent;
}

/** One request to a route of a tool. */
export interface ObservedDispatch extends ObservedOrigin {
  /** The call's id. */
  readonly callId: string;
  /** The tool's name. */
  readonly tool: string;
  /** The request's method. */
  readonly method: string;
  /** Whether it goes to `dispatch.baseUrl` through undici, whose instrumentation adds headers itself. */
  readonly isRemote: boolean;
  /** The hook sets trace headers here before it calls `go`; other headers are not sent. */
  readonly headers: TraceHeaders;
}

/** The end of a request to a route. */
export interface ObservedDispatchEnd extends ObservedEnd {
  /** The response's HTTP status; missing without a response. */
  readonly httpStatus?: number;
}

/** The text of a model's request; see `AgentTelemetry.seesContent`. */
export interface ObservedRequestContent {
  /** The system prompt; missing if there is none. */
  readonly system?: string;
  /** The conversation. Arguments of calls are masked and redacted as in audit records. */
  readonly messages: readonly Message[];
  /** The tools on offer. */
  readonly tools: readonly ToolDefinition[];
}

/** A model's answer; see `AgentTelemetry.seesContent`. */
export interface ObservedAnswerContent {
  /** The answer so far. Arguments are masked and redacted as in audit records. */
  readonly blocks: readonly ContentBlock[];
}

/** A call's arguments; see `AgentTelemetry.seesContent`. */
export interface ObservedCallContent {
  /** Masked and redacted as in audit records. */
  readonly arguments: JsonObject;
}

/** A call's result; see `AgentTelemetry.seesContent`. */
export interface ObservedResultContent {
  /** The content for the model; missing while the result is awaited. */
  readonly result?: ResultContent;
}
