import type {
  FinishReason,
  JsonObject,
  Message,
  PendingAction,
  RunStatus,
  StopReason,
  ToolResultBlock,
  Usage,
} from '../message';
import type { SessionState } from './session-state';

/** How a pending action was answered. */
export type ActionAnswer =
  | {
      /** The call may run. */
      readonly type: 'approve';
      /** Arguments that replace the model's. */
      readonly input?: JsonObject;
      /** Whether the tool is allowed for the rest of the session. */
      readonly remember?: boolean;
    }
  | {
      /** The call may not run. */
      readonly type: 'reject';
      /** Why, for the model to read. */
      readonly reason?: string;
    }
  | {
      /** Nobody answered in time. */
      readonly type: 'expire';
    };

/** Why a run failed. */
export interface StoredFailure {
  /** Stable, such as `model_rate_limited`. */
  readonly code: string;
  /** Safe to show. */
  readonly message: string;
  /** The HTTP status that fits. */
  readonly httpStatus: number;
}

/**
 * One line of a session's journal. The journal is all there is: what a session is at any time
 * follows from its entries in order (see `sessionStateOf`). No header, cookie, token or preset
 * value ever stands in one.
 */
export type SessionEntry =
  | ({
      /** The run that it belongs to. */
      readonly runId: string;
    } & (
      | {
          /** Something was said. */
          readonly type: 'message';
          /** What was said; tool results stand in entries of their own. */
          readonly message: Message;
        }
      | {
          /** A run begins. */
          readonly type: 'run.started';
          /** The model's name in the module's options; missing for the default one. */
          readonly model?: string;
          /** What the client told of the user's surroundings, for the run's later requests. */
          readonly environmentContext?: readonly string[];
          /** ISO 8601. */
          readonly startedAt: string;
        }
      | {
          /** A call passed its checks and is about to run; written before it runs. */
          readonly type: 'call.started';
          /** The call. */
          readonly callId: string;
        }
      | {
          /** A call has its one result. */
          readonly type: 'call.settled';
          /** What the model reads. */
          readonly result: ToolResultBlock;
          /** Milliseconds that the tool took; 0 where it did not run. */
          readonly durationMs: number;
        }
      | {
          /** A model call is over. */
          readonly type: 'step.finished';
          /** Counts the run's model calls from 1. */
          readonly step: number;
          /** What this model call consumed. */
          readonly usage: Usage;
          /** Why the model stopped; missing in journals of earlier versions. */
          readonly finishReason?: FinishReason;
        }
      | {
          /** The run will wait for its caller. */
          readonly type: 'action.required';
          /** What it waits for. */
          readonly action: PendingAction;
        }
      | {
          /** The caller has answered. */
          readonly type: 'action.answered';
          /** The call that waited. */
          readonly callId: string;
          /** The answer. */
          readonly answer: ActionAnswer;
        }
      | {
          /** The run waits from here on. */
          readonly type: 'run.parked';
          /** That of the last event, so that a continued run counts on. */
          readonly seq: number;
        }
      | {
          /** The run goes on. */
          readonly type: 'run.resumed';
        }
      | {
          /** The run is over. */
          readonly type: 'run.finished';
          /** How it ended. */
          readonly status: RunStatus;
          /** Why it ended. */
          readonly stopReason: StopReason;
          /** The text of the last assistant message. */
          readonly message: string;
          /** What its model calls consumed together. */
          readonly usage: Usage;
          /** Why it failed, in words that are safe to show; missing where its process died. */
          readonly failure?: StoredFailure;
          /** That of the last event; of a run whose process died, that of its last wait or 0. */
          readonly seq: number;
        }
      | {
          /** A checkpoint: a summary took the place of older messages. */
          readonly type: 'compacted';
          /** The message with the summary. */
          readonly summary: Message;
          /** Tokens of the model call without it. */
          readonly tokensBefore: number;
          /** Tokens of the model call with it. */
          readonly tokensAfter: number;
          /** How many messages the summary stands for. */
          readonly messages: number;
          /** What the summary itself cost, where the model told. */
          readonly usage?: Usage;
          /** The whole state after it, so that reading may begin here. */
          readonly state: SessionState;
        }
    ))
  | {
      /** The model has chosen other tool groups. */
      readonly type: 'groups.changed';
      /** The names of all that are active now. */
      readonly active: readonly string[];
    }
  | {
      /** The owner allows a tool for the rest of the session. */
      readonly type: 'permission.remembered';
      /** The tool's name. */
      readonly tool: string;
    }
  | {
      /** The owner takes that back. */
      readonly type: 'permission.revoked';
      /** The tool's name. */
      readonly tool: string;
    };

/** An entry with its place in the journal, from 1. */
export interface StoredEntry {
  /** Counts the session's entries from 1, by one. */
  readonly position: number;
  /** The entry itself. */
  readonly entry: SessionEntry;
}
