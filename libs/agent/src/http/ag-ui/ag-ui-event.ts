import type { CallOutcome, JsonValue } from '../../message';
import type { AgUiMessage } from './history';
import type { Interrupt } from './interrupts';
import type { TokenUsage } from './token-usage';

/** Why an AG-UI run ended without an error. */
export type RunOutcome =
  | { readonly type: 'success'; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: 'interrupt'; readonly interrupts: readonly Interrupt[] }
  | { readonly type: 'cancelled' };

/** The events of AG-UI that are sent. @see https://docs.ag-ui.com/concepts/events */
export type AgUiEvent =
  | {
      readonly type: 'RUN_STARTED';
      readonly threadId: string;
      readonly runId: string;
      readonly protocolVersion?: string;
    }
  | { readonly type: 'MESSAGES_SNAPSHOT'; readonly messages: readonly (AgUiMessage | object)[] }
  | { readonly type: 'STEP_STARTED' | 'STEP_FINISHED'; readonly stepName: string }
  | {
      readonly type: 'TEXT_MESSAGE_START';
      readonly messageId: string;
      readonly role: 'assistant';
    }
  | {
      readonly type: 'REASONING_MESSAGE_START';
      readonly messageId: string;
      readonly role: 'reasoning';
    }
  | {
      readonly type: 'TEXT_MESSAGE_CONTENT' | 'REASONING_MESSAGE_CONTENT';
      readonly messageId: string;
      readonly delta: string;
    }
  | {
      readonly type:
        'TEXT_MESSAGE_END' | 'REASONING_START' | 'REASONING_MESSAGE_END' | 'REASONING_END';
      readonly messageId: string;
    }
  | {
      readonly type: 'TOOL_CALL_START';
      readonly toolCallId: string;
      readonly toolCallName: string;
      readonly parentMessageId: string;
    }
  | { readonly type: 'TOOL_CALL_ARGS'; readonly toolCallId: string; readonly delta: string }
  | { readonly type: 'TOOL_CALL_END'; readonly toolCallId: string }
  | {
      readonly type: 'TOOL_CALL_RESULT';
      readonly messageId: string;
      readonly toolCallId: string;
      readonly role: 'tool';
      readonly content: string;
      readonly metadata: { readonly isError: boolean; readonly outcome: CallOutcome };
    }
  | { readonly type: 'CUSTOM'; readonly name: string; readonly value: JsonValue }
  | { readonly type: 'RUN_ERROR'; readonly code: string; readonly message: string }
  | {
      readonly type: 'RUN_FINISHED';
      readonly threadId: string;
      readonly runId: string;
      readonly outcome?: RunOutcome;
      readonly usage?: readonly TokenUsage[];
    };

/** AG-UI's streams have `data:` lines only. */
export function frameOf(event: AgUiEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
