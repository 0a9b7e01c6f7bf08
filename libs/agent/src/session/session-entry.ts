import type {
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
      readonly type: 'approve';
      readonly input?: JsonObject;
      readonly remember?: boolean;
    }
  | { readonly type: 'reject'; readonly reason?: string }
  | { readonly type: 'expire' };

/**
 * One line of a session's journal. The journal is all there is: what a session is at any time
 * follows from its entries in order (see `session-state.ts`). No header, cookie, token or preset
 * value ever stands in one.
 */
export type SessionEntry =
  | { readonly type: 'message'; readonly runId: string; readonly message: Message }
  | {
      readonly type: 'run.started';
      readonly runId: string;
      /** The model's name in the module's options; missing for the default one. */
      readonly model?: string;
      /** What the client told of the user's surroundings, for the run's later requests. */
      readonly environmentContext?: readonly string[];
      readonly startedAt: string;
    }
  /** A call passed its checks and is about to run; written before it runs. */
  | { readonly type: 'call.started'; readonly runId: string; readonly callId: string }
  /** A call's one result. */
  | {
      readonly type: 'call.settled';
      readonly runId: string;
      readonly result: ToolResultBlock;
      readonly durationMs: number;
    }
  | {
      readonly type: 'step.finished';
      readonly runId: string;
      readonly step: number;
      readonly usage: Usage;
    }
  | {
      readonly type: 'action.required';
      readonly runId: string;
      readonly action: PendingAction;
    }
  | {
      readonly type: 'action.answered';
      readonly runId: string;
      readonly callId: string;
      readonly answer: ActionAnswer;
    }
  /** `seq` is that of the last event, so that a continued run counts on. */
  | { readonly type: 'run.parked'; readonly runId: string; readonly seq: number }
  | { readonly type: 'run.resumed'; readonly runId: string }
  | {
      readonly type: 'run.finished';
      readonly runId: string;
      readonly status: RunStatus;
      readonly stopReason: StopReason;
      readonly message: string;
      readonly usage: Usage;
      readonly seq: number;
    }
  | { readonly type: 'groups.changed'; readonly active: readonly string[] }
  | { readonly type: 'permission.remembered'; readonly tool: string }
  | { readonly type: 'permission.revoked'; readonly tool: string }
  /**
   * A checkpoint: a summary took the place of older messages. `state` is the whole state after it,
   * so that reading may begin here.
   */
  | {
      readonly type: 'compacted';
      readonly runId: string;
      readonly summary: Message;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** How many messages the summary stands for. */
      readonly messages: number;
      /** What the summary itself cost, where the model told. */
      readonly usage?: Usage;
      readonly state: SessionState;
    };

/** An entry with its place in the journal, from 1. */
export interface StoredEntry {
  readonly position: number;
  readonly entry: SessionEntry;
}
