import type { JsonObject } from '../../../message';

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
