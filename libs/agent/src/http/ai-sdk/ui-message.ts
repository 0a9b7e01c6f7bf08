import type { Tagged } from '../../internal';
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
export type UiToolPart = UiCall &
  { [State in keyof States]: { readonly state: State } & Readonly<States[State]> }[keyof States];

interface States {
  'input-available': object;
  'approval-requested': {
    approval: UiApproval & {
      readonly descriptor: { readonly reason: string; readonly expiresAt: string };
    };
  };
  'approval-responded': { approval: UiApproved };
  'output-available': { output: JsonValue; approval?: UiApproved };
  'output-error': { errorText: string; approval?: UiApproved };
  'output-denied': {
    approval: UiApproval & { readonly approved: false; readonly reason?: string };
  };
}

/** A part of a message in the AI SDK's form. */
export type UiPart = Tagged<Fields> | UiToolPart;

interface Fields {
  'step-start': object;
  text: { text: string; state?: 'done' };
  reasoning: { text: string; state?: 'done' };
  file: { mediaType: string; url: string; filename?: string };
  'source-url': { sourceId: string; url: string; title?: string };
}

/** A message in the AI SDK's form. */
export interface UiMessage {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly metadata: {
    readonly sessionId: string;
    readonly runId?: string;
    /** The time of the message; ISO 8601. */
    readonly createdAt?: string;
  };
  readonly parts: readonly UiPart[];
}
