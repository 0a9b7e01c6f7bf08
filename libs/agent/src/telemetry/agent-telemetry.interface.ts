import type {
  CallOutcome,
  FinishReason,
  PendingAction,
  RunStatus,
  StopReason,
  ToolKind,
  Usage,
} from '../message';
import type { ToolResponseStatus } from '../tool';

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
interface ObservedModel {
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
}

/** How a run, or the part of one up to a wait, ended. */
export interface ObservedRunEnd {
  /** `requires_action` where it waits. */
  readonly status: RunStatus;
  /** Why it ended. */
  readonly stopReason: StopReason;
  /** What the whole run has consumed so far, the parts before a wait included. */
  readonly usage: Usage;
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
}

/** How a model call ended. */
export interface ObservedModelCallEnd extends ObservedEnd {
  /** Why the answer ended; missing where it was cut off. */
  readonly finishReason?: FinishReason;
  /** What the provider counted; missing where it did not count. */
  readonly usage?: Usage;
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
}

/** How a tool call ended. */
export interface ObservedToolCallEnd {
  /** `awaiting_result` where the tool has asked somebody else. */
  readonly status: ToolResponseStatus;
  /** How often the tool ran; 0 where a cached result was used. */
  readonly attempts: number;
  /** Why it failed; missing where it did not. */
  readonly errorCode?: string;
}

/** The headers by which tracing systems continue a trace. */
export interface TraceHeaders {
  /** Of W3C Trace Context. */
  traceparent?: string;
  /** Of W3C Trace Context. */
  tracestate?: string;
  /** Of W3C Baggage. */
  baggage?: string;
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

/** What happened at one moment. */
export type ObservedEvent = ObservedOrigin &
  (
    | {
        /** A model call failed before its answer began, and is tried again. */
        readonly type: 'retry';
        /** The attempt that failed; counts from 1. */
        readonly attempt: number;
        /** Milliseconds before the next one. */
        readonly delayMs: number;
        /** Why it failed. */
        readonly errorCode: string;
      }
    | {
        /** A model failed before its answer began, and the next one is asked. */
        readonly type: 'fallback';
        /** The model that failed. */
        readonly from: string;
        /** The model that is asked. */
        readonly to: string;
        /** Why it failed. */
        readonly errorCode: string;
      }
    | {
        /** The history was summarised. */
        readonly type: 'compaction';
        /** Tokens before. */
        readonly tokensBefore: number;
        /** Tokens after. */
        readonly tokensAfter: number;
      }
    | {
        /** A call waits for approval. */
        readonly type: 'approval.required';
        /** The call. */
        readonly callId: string;
        /** The tool's name. */
        readonly tool: string;
      }
    | {
        /** A call was approved or rejected. */
        readonly type: 'approval.answered';
        /** The call. */
        readonly callId: string;
        /** The tool's name. */
        readonly tool: string;
        /** What was answered. */
        readonly answer: 'approve' | 'reject' | 'expire';
      }
    | {
        /** A call ended without having run. */
        readonly type: 'tool.refused';
        /** The call. */
        readonly callId: string;
        /** The tool's name, as the model wrote it. */
        readonly tool: string;
        /** How it is carried out; missing where there is no such tool. */
        readonly kind?: ToolKind;
        /** How it ended. */
        readonly outcome: Exclude<CallOutcome, 'ok'>;
        /** Why, such as `invalid_arguments` or `permission_denied`. */
        readonly errorCode: string;
      }
    | {
        /** The run waits. */
        readonly type: 'parked';
        /** What it waits for. */
        readonly pending: readonly PendingAction['type'][];
      }
    | {
        /** The run goes on after a wait. */
        readonly type: 'resumed';
      }
    | {
        /** The first piece of an answer is there. */
        readonly type: 'first_token';
      }
  );

/**
 * Watches what agents do: one method around each thing that lasts, one for moments. Every method is
 * optional.
 *
 * A method around something calls `go` before it returns, and returns what `go` returned. `go` begins
 * the work, in the async context of its caller, and returns a promise of how it ended, which never
 * rejects; a second call begins nothing. Where a method returns or throws without having called `go`,
 * the work begins without it; nothing waits for a method's promise. So no hook can hold a run up. The
 * first failure of each method is logged, and disturbs nothing.
 *
 * No header, cookie, preset value, argument or message is in what hooks are told.
 *
 * @example
 * const telemetry: AgentTelemetry = {
 *   async modelCall({ model, reason, attempt }, go) {
 *     const { status, usage } = await go();
 *     console.log(model, reason, attempt, status, usage?.totalTokens);
 *   },
 *   event: ({ type, runId }) => console.log(type, runId),
 * };
 * AgentModule.forRoot({ telemetry });
 */
export interface AgentTelemetry {
  /** Around a run, or each of its parts between waits. */
  run?(info: ObservedRun, go: () => Promise<ObservedRunEnd>): unknown;
  /** Around a step, within its run. */
  step?(info: ObservedStep, go: () => Promise<ObservedStepEnd>): unknown;
  /** Around a call of a model, within its step, or wherever `generate` was called. */
  modelCall?(info: ObservedModelCall, go: () => Promise<ObservedModelCallEnd>): unknown;
  /** Around a tool call that runs, within its step; a browser's lasts until its result. */
  toolCall?(info: ObservedToolCall, go: () => Promise<ObservedToolCallEnd>): unknown;
  /** Around a request to a route until its response's head, within its tool call. */
  dispatch?(info: ObservedDispatch, go: () => Promise<ObservedDispatchEnd>): unknown;
  /** Tells of a moment, within what it belongs to. */
  event?(info: ObservedEvent): unknown;
}
