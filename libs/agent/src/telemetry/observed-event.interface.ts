import type { CallOutcome, PendingAction, ToolKind } from '../message';
import type { ObservedOrigin } from './observed.interface';

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
