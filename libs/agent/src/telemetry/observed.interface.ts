import type { FinishReason, RunStatus, StopReason, ToolKind, Usage } from '../message';
import type { ToolResponseStatus } from '../tool';
import type {
  ObservedAnswerContent,
  ObservedCallContent,
  ObservedRequestContent,
  ObservedResultContent,
} from './observed-content.interface';
import type { TraceHeaders, TraceIds } from './trace.interface';

/** Whose work it is. */
export interface ObservedOrigin {
  /** The agent's name. */
  readonly agent: string;
  /** The run; missing outside runs. */
  readonly runId?: string;
  /** The session; missing where none is kept. */
  readonly sessionId?: string;
  /** The logged-in user's id; missing for anonymous callers. */
  readonly principal?: string;
}

/** A model, by name. */
export interface ObservedModel {
  /** The model's name. */
  readonly model: string;
  /** Its `provider`; `custom` where the model does not say. */
  readonly provider: string;
}

/** A run, or the part of one up to a wait. */
export interface ObservedRun extends ObservedOrigin, Partial<ObservedModel> {
  /** The run. */
  readonly runId: string;
  /**
   * What set it going: a message (`start`), answers to what it waited for (`resume`), or the next
   * request after its process died (`recovery`), which settles what it left open.
   */
  readonly reason: 'start' | 'resume' | 'recovery';
  /** What `AgentTelemetry.trace` said when the run began to wait; missing unless it goes on. */
  readonly waitedIn?: TraceIds;
  /** What it said where the run was queued, in another process; missing unless a worker has it. */
  readonly requestedIn?: TraceIds;
}

/** How a run, or the part of one up to a wait, ended. */
export interface ObservedRunEnd {
  /** `requires_action` where it waits. */
  readonly status: RunStatus;
  /** Why it ended. */
  readonly stopReason: StopReason;
  /** What the whole run has consumed so far, the parts before a wait included. */
  readonly usage: Usage;
  /** The steps of the whole run so far. */
  readonly steps: number;
  /** Why it failed, such as `model_rate_limited` or `lease_lost`; missing where it did not. */
  readonly errorCode?: string;
}

/** One step of a run: a model call and the tool calls that it asks for. */
export interface ObservedStep extends ObservedOrigin {
  /** Counts from 1. */
  readonly step: number;
  /** `resume` where the step goes on with calls that waited for approval. */
  readonly reason: 'start' | 'resume';
}

/** How something ended that may fail or be stopped. */
interface ObservedEnd {
  /** `cancelled` where something stopped it from outside. */
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Why it failed; missing where it did not. */
  readonly errorCode?: string;
}

/** How a step ended. */
export type ObservedStepEnd = ObservedEnd;

/** One call of one model. An adapter's attempts to connect are `retry` events of it. */
export interface ObservedModelCall extends ObservedOrigin, ObservedModel {
  /**
   * What it is for: an answer (`step`), the answer again after a failure (`retry`), the next model of
   * a fallback (`fallback`), a summary of the history (`compaction`), or `AgentService.generate`.
   */
  readonly reason: 'step' | 'retry' | 'fallback' | 'compaction' | 'generate';
  /** Counts from 1. */
  readonly attempt: number;
  /** Tokens that the answer may have. */
  readonly maxTokens?: number;
  /** How freely the model chooses its words. */
  readonly temperature?: number;
  /** Texts that end the answer before them. */
  readonly stop?: readonly string[];
  /** Whether a summary stands for the beginning of the conversation. */
  readonly isCompacted: boolean;
  /** What is asked; see `AgentTelemetry.seesContent`. */
  readonly content?: ObservedRequestContent;
}

/** How a model call ended. */
export interface ObservedModelCallEnd extends ObservedEnd {
  /** Why the answer ended; missing where it was cut off. */
  readonly finishReason?: FinishReason;
  /** What the provider counted; missing where it did not count. */
  readonly usage?: Usage;
  /** What the provider says of its answer; missing where the model does not tell. */
  readonly response?: ObservedResponse;
  /**
   * Milliseconds from the call to the first piece of the answer, then from piece to piece; pieces
   * that arrive within a millisecond count as one.
   */
  readonly chunkMs: readonly number[];
  /** What was answered; see `AgentTelemetry.seesContent`. */
  readonly content?: ObservedAnswerContent;
}

/** What a provider says of its answer, as far as it does. */
export interface ObservedResponse {
  /** The provider's id of it. */
  readonly id?: string;
  /** The model that answered, such as a dated version. */
  readonly model?: string;
  /** Why it ended, in the provider's words. */
  readonly finishReason?: string;
}

/** One call of a tool, with all its attempts. */
export interface ObservedToolCall extends ObservedOrigin {
  /** The call's id. */
  readonly callId: string;
  /** The tool's name. */
  readonly tool: string;
  /** How it is carried out. */
  readonly kind: ToolKind;
  /**
   * What it is: a call (`call`), one that somebody approved first (`approved`), or the result of one
   * that an earlier part of the run waited for (`delivered`), which takes no time.
   */
  readonly reason: 'call' | 'approved' | 'delivered';
  /** What the tool is for. */
  readonly description?: string;
  /** Whether it was approved, for this call or for the session. */
  readonly approval: 'none' | 'approved' | 'remembered' | 'declined' | 'expired';
  /** The arguments; see `AgentTelemetry.seesContent`. */
  readonly content?: ObservedCallContent;
}

/** How a tool call ended. */
export interface ObservedToolCallEnd {
  /** `awaiting_result` where the tool has asked somebody else. */
  readonly status: ToolResponseStatus;
  /** How often the tool ran; 0 where a cached result was used. */
  readonly attempts: number;
  /** Why it failed; missing where it did not. */
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
  /** Whether it goes to `dispatch.baseUrl`, by undici, whose instrumentation adds headers itself. */
  readonly isRemote: boolean;
  /** What the hook writes here before it calls `go` is sent along; other names are not. */
  readonly headers: TraceHeaders;
}

/** How a request to a route ended. */
export interface ObservedDispatchEnd extends ObservedEnd {
  /** The response's HTTP status; missing where none came. */
  readonly httpStatus?: number;
}
