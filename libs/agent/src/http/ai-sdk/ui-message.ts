import type { JsonObject, JsonValue } from '../../message';

interface UiCall {
  readonly type: `tool-${string}`;
  readonly toolCallId: string;
  readonly input: JsonObject;
  /** Set for calls that the client neither runs nor waits for. */
  readonly providerExecuted?: true;
}

interface UiApproval {
  /** The call's id. */
  readonly id: string;
}

type UiApproved = UiApproval & { readonly approved: true };

/** A call in a message, as far as it has come. */
export type UiToolPart =
  | (UiCall & { readonly state: 'input-available' })
  | (UiCall & {
      readonly state: 'approval-requested';
      readonly approval: UiApproval & {
        readonly descriptor: { readonly reason: string; readonly expiresAt: string };
      };
    })
  | (UiCall & { readonly state: 'approval-responded'; readonly approval: UiApproved })
  | (UiCall & {
      readonly state: 'output-available';
      readonly output: JsonValue;
      readonly approval?: UiApproved;
    })
  | (UiCall & {
      readonly state: 'output-error';
      readonly errorText: string;
      readonly approval?: UiApproved;
    })
  | (UiCall & {
      readonly state: 'output-denied';
      readonly approval: UiApproval & { readonly approved: false; readonly reason?: string };
    });

/** A part of a message in the AI SDK's form. */
export type UiPart =
  | { readonly type: 'step-start' }
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly state?: 'done' }
  | {
      readonly type: 'file';
      readonly mediaType: string;
      readonly url: string;
      readonly filename?: string;
    }
  | {
      readonly type: 'source-url';
      readonly sourceId: string;
      readonly url: string;
      readonly title?: string;
    }
  | UiToolPart;

/** A message in the AI SDK's form. */
export interface UiMessage {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly metadata: {
    readonly sessionId: string;
    readonly runId?: string;
    /** When it was said; ISO 8601. */
    readonly createdAt?: string;
  };
  readonly parts: readonly UiPart[];
}
