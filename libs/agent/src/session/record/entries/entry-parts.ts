import type { JsonObject, PendingAction, ToolKind } from '../../../message';

/** Facts about a call for the run's readers that its message does not contain. */
export interface AnnouncedCall {
  /** The call. */
  readonly callId: string;
  /** How it is executed; `function` if there is no such tool. */
  readonly kind: ToolKind;
  /**
   * The displayed arguments, as they will be sent, with sensitive ones masked; the message's by
   * default.
   */
  readonly input?: JsonObject;
  /** The actor that the call waits for; missing if the call runs at once. */
  readonly awaits?: PendingAction['type'];
  /** Set if its tool may run twice, so that the start of the call need not be stored. */
  readonly isRepeatable?: true;
}

/** How a pending action was answered. */
export type ActionAnswer =
  | {
      /** The call may run. */
      readonly type: 'approve';
      /** Arguments that replace the model's. */
      readonly input?: JsonObject;
      /** Their displayed form, if it differs. */
      readonly shownInput?: JsonObject;
      /** Whether the tool is allowed for the rest of the session. */
      readonly remember?: boolean;
    }
  | {
      /** The call may not run. */
      readonly type: 'reject';
      /** The reason, for the model. */
      readonly reason?: string;
    }
  | {
      /** A result was delivered to the asked agent that waits for it. */
      readonly type: 'deliver';
    }
  | {
      /** No answer came in time. */
      readonly type: 'expire';
    };

/** How long a model call took, without waiting for other calls. */
export interface StepTiming {
  /** Milliseconds from the request to the end of the answer. */
  readonly totalMs: number;
  /** Milliseconds from the request to the first piece of the answer; missing if there was none. */
  readonly firstTokenMs?: number;
}

/** Why a run failed. */
export interface StoredFailure {
  /** Stable, such as `model_rate_limited`. */
  readonly code: string;
  /** Safe to show. */
  readonly message: string;
  /** The HTTP status that fits. */
  readonly httpStatus: number;
}
