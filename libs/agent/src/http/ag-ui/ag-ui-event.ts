import type { Tagged } from '../../internal';
import type { JsonValue } from '../../message';
import type { AgUiMessage, ToolMessage } from './history';
import type { interruptsOf } from './interrupts';

/** Why an AG-UI run ended without an error. */
export type RunOutcome =
  | { readonly type: 'success'; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: 'interrupt'; readonly interrupts: ReturnType<typeof interruptsOf> }
  | { readonly type: 'cancelled' };

/** The events of AG-UI that are sent. @see https://docs.ag-ui.com/concepts/events */
export type AgUiEvent = Tagged<Fields>;

interface Fields {
  RUN_STARTED: { threadId: string; runId: string; protocolVersion?: string };
  MESSAGES_SNAPSHOT: { messages: readonly (AgUiMessage | object)[] };
  STEP_STARTED: { stepName: string };
  STEP_FINISHED: { stepName: string };
  TEXT_MESSAGE_START: { messageId: string; role: 'assistant' };
  TEXT_MESSAGE_CONTENT: { messageId: string; delta: string };
  TEXT_MESSAGE_END: { messageId: string };
  REASONING_START: { messageId: string };
  REASONING_MESSAGE_START: { messageId: string; role: 'reasoning' };
  REASONING_MESSAGE_CONTENT: { messageId: string; delta: string };
  REASONING_MESSAGE_END: { messageId: string };
  REASONING_END: { messageId: string };
  TOOL_CALL_START: { toolCallId: string; toolCallName: string; parentMessageId: string };
  TOOL_CALL_ARGS: { toolCallId: string; delta: string };
  TOOL_CALL_END: { toolCallId: string };
  TOOL_CALL_RESULT: Omit<ToolMessage, 'id' | 'metadata'> & {
    messageId: string;
    metadata: Required<ToolMessage['metadata']>;
  };
  CUSTOM: { name: string; value: JsonValue };
  RUN_ERROR: { code: string; message: string };
  RUN_FINISHED: {
    threadId: string;
    runId: string;
    outcome?: RunOutcome;
    usage?: readonly object[];
  };
}

/** AG-UI's streams have `data:` lines only. */
export function frameOf(event: AgUiEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
