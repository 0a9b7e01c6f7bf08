import type { JsonObject, JsonValue, RunStatus, StopReason, Usage } from '../../message';

/** Why an answer ends, in the words of the AI SDK. */
export type UiFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other';

interface CallOf {
  readonly toolCallId: string;
}

/** Set for calls that are none of the client's business: it neither runs nor waits for them. */
interface ExecutedHere {
  readonly providerExecuted?: true;
}

/**
 * The chunks that we send, all of which `ai` 6 knows: it refuses a stream with any other type or
 * value. @see https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
 */
export type UiChunk =
  | {
      readonly type: 'start';
      readonly messageId: string;
      readonly messageMetadata: {
        readonly sessionId: string;
        readonly runId: string;
        readonly model: string;
      };
    }
  | { readonly type: 'start-step' | 'finish-step' | 'abort' }
  | {
      readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end';
      readonly id: string;
    }
  | {
      readonly type: 'text-delta' | 'reasoning-delta';
      readonly id: string;
      readonly delta: string;
    }
  | (CallOf & { readonly type: 'tool-input-start'; readonly toolName: string })
  | (CallOf & { readonly type: 'tool-input-delta'; readonly inputTextDelta: string })
  | (CallOf &
      ExecutedHere & {
        readonly type: 'tool-input-available';
        readonly toolName: string;
        readonly input: JsonObject;
      })
  | (CallOf & {
      readonly type: 'tool-approval-request';
      readonly approvalId: string;
      readonly reason: string;
      /** The only one of these that `ai` 6 keeps. */
      readonly approvalDescriptor: { readonly reason: string; readonly expiresAt: string };
    })
  | (CallOf & ExecutedHere & { readonly type: 'tool-output-available'; readonly output: JsonValue })
  | (CallOf & ExecutedHere & { readonly type: 'tool-output-error'; readonly errorText: string })
  | (CallOf & { readonly type: 'tool-output-denied' })
  | {
      readonly type: 'source-url';
      readonly sourceId: string;
      readonly url: string;
      readonly title?: string;
    }
  | {
      readonly type: 'data-tool-progress' | 'data-compaction' | 'data-notice';
      readonly data: JsonObject;
      readonly transient: true;
    }
  | {
      /** Stays in the message: the parts of this step before it are void. */
      readonly type: 'data-step-discarded';
      readonly data: { readonly from: number; readonly to: number };
    }
  | {
      readonly type: 'message-metadata';
      readonly messageMetadata: { readonly error: { readonly code: string } };
    }
  | { readonly type: 'error'; readonly errorText: string }
  | {
      readonly type: 'finish';
      readonly finishReason: UiFinishReason;
      readonly messageMetadata: {
        readonly status: RunStatus;
        readonly stopReason?: StopReason;
        readonly usage: Usage;
      };
    };

/** The end of a stream. */
export const DONE = 'data: [DONE]\n\n';

/** The chunks as frames of the stream. */
export function framesOf(...chunks: readonly UiChunk[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}
