import type { Tagged } from '../../internal';
import type { JsonObject, JsonValue, RunStatus, StopReason, Usage } from '../../message';

/** Why an answer ends, in the words of the AI SDK. */
export type UiFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other';

/**
 * The chunks that we send, all of which `ai` 6 knows: it refuses a stream with any other type or
 * value. @see https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
 */
export type UiChunk = Tagged<Fields>;

interface Fields {
  start: {
    messageId: string;
    messageMetadata: { readonly sessionId: string; readonly runId: string; readonly model: string };
  };
  'start-step': object;
  'finish-step': object;
  abort: object;
  'text-start': { id: string };
  'text-delta': { id: string; delta: string };
  'text-end': { id: string };
  'reasoning-start': { id: string };
  'reasoning-delta': { id: string; delta: string };
  'reasoning-end': { id: string };
  'tool-input-start': { toolCallId: string; toolName: string };
  'tool-input-delta': { toolCallId: string; inputTextDelta: string };
  'tool-input-available': ExecutedHere & { toolName: string; input: JsonObject };
  'tool-approval-request': {
    toolCallId: string;
    approvalId: string;
    reason: string;
    /** The only one of these that `ai` 6 keeps. */
    approvalDescriptor: { readonly reason: string; readonly expiresAt: string };
  };
  'tool-output-available': ExecutedHere & { output: JsonValue };
  'tool-output-error': ExecutedHere & { errorText: string };
  'tool-output-denied': { toolCallId: string };
  'source-url': { sourceId: string; url: string; title?: string };
  'data-tool-progress': Passing;
  'data-compaction': Passing;
  'data-notice': Passing;
  /** Stays in the message: the parts of this step before it are void. */
  'data-step-discarded': { data: { readonly from: number; readonly to: number } };
  'message-metadata': { messageMetadata: { readonly error: { readonly code: string } } };
  error: { errorText: string };
  finish: {
    finishReason: UiFinishReason;
    messageMetadata: {
      readonly status: RunStatus;
      readonly stopReason?: StopReason;
      readonly usage: Usage;
    };
  };
}

/** Marks a call that the server executes, so that the client neither runs nor waits for it. */
interface ExecutedHere {
  toolCallId: string;
  providerExecuted?: true;
}

/** Shown while the run goes on, and not kept in the message. */
interface Passing {
  data: JsonObject;
  transient: true;
}

/** The end of a stream. */
export const DONE = 'data: [DONE]\n\n';

/** The chunks as frames of the stream. */
export function framesOf(...chunks: readonly UiChunk[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}
