import type { CallOutcome, PendingAction, ToolKind } from '../message';
import type { ObservedOrigin } from './observed.interface';

/** A single event of a run or a call. */
export type ObservedEvent = ObservedOrigin &
  (
    | {
        /** A model call failed before its answer began, and is retried. */
        readonly type: 'retry';
        /** The attempt that failed; counts from 1. */
        readonly attempt: number;
        /** Milliseconds until the next attempt. */
        readonly delayMs: number;
        /** The code of the failure. */
        readonly errorCode: string;
      }
    | {
        /** A model failed before its answer began, and the next model is called. */
        readonly type: 'fallback';
        /** The model that failed. */
        readonly from: string;
        /** The next model. */
        readonly to: string;
        /** The code of the failure. */
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
        /** The answer; `expire` if none came in time. */
        readonly answer: 'approve' | 'reject' | 'expire';
      }
    | {
        /** A call ended without having run. */
        readonly type: 'tool.refused';
        /** The call. */
        readonly callId: string;
        /** The tool's name, as the model wrote it. */
        readonly tool: string;
        /** How the tool is executed; missing if there is no such tool. */
        readonly kind?: ToolKind;
        /** The outcome of the call. */
        readonly outcome: Exclude<CallOutcome, 'ok'>;
        /** The reason, such as `invalid_arguments` or `permission_denied`. */
        readonly errorCode: string;
      }
    | {
        /** The run waits for answers. */
        readonly type: 'parked';
        /** The kinds of the pending actions. */
        readonly pending: readonly PendingAction['type'][];
      }
    | {
        /** The run continues after a wait. */
        readonly type: 'resumed';
      }
    | {
        /** The first piece of an answer has arrived. */
        readonly type: 'first_token';
      }
  );
