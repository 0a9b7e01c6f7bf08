import { type AgUiEvent, frameOf } from './ag-ui-event';

/**
 * The frames of steps, messages and calls. An open part of a stream must end before the next one
 * begins.
 */
export class OpenParts {
  private step: string | undefined;
  private textId: string | undefined;
  private reasoningId: string | undefined;
  private readonly calls = new Set<string>();

  beginStep(stepName: string): string {
    const ends = this.closeAll();
    this.step = stepName;
    return ends + frameOf({ type: 'STEP_STARTED', stepName });
  }

  say(messageId: string, delta: string): string {
    const content = frameOf({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
    if (this.textId === messageId) return content;
    const ends = this.closeMessages();
    this.textId = messageId;
    return ends + frameOf({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }) + content;
  }

  reason(messageId: string, delta: string): string {
    const content = frameOf({ type: 'REASONING_MESSAGE_CONTENT', messageId, delta });
    if (this.reasoningId === messageId) return content;
    const ends = this.closeMessages();
    this.reasoningId = messageId;
    return (
      ends +
      frameOf({ type: 'REASONING_START', messageId }) +
      frameOf({ type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' }) +
      content
    );
  }

  hasCall(callId: string): boolean {
    return this.calls.has(callId);
  }

  beginCall(call: Omit<Extract<AgUiEvent, { type: 'TOOL_CALL_START' }>, 'type'>): string {
    this.calls.add(call.toolCallId);
    return this.closeMessages() + frameOf({ type: 'TOOL_CALL_START', ...call });
  }

  endCall(toolCallId: string): string {
    this.calls.delete(toolCallId);
    return frameOf({ type: 'TOOL_CALL_END', toolCallId });
  }

  /** Ends the text and the reasoning, but no call: its end follows. */
  closeMessages(): string {
    const { textId, reasoningId } = this;
    this.textId = undefined;
    this.reasoningId = undefined;
    return (
      (textId === undefined ? '' : frameOf({ type: 'TEXT_MESSAGE_END', messageId: textId })) +
      (reasoningId === undefined ? '' : endOfReasoning(reasoningId))
    );
  }

  closeAll(): string {
    const ends = this.closeMessages() + [...this.calls].map((id) => this.endCall(id)).join('');
    const { step } = this;
    this.step = undefined;
    return step === undefined ? ends : ends + frameOf({ type: 'STEP_FINISHED', stepName: step });
  }
}

function endOfReasoning(messageId: string): string {
  return (
    frameOf({ type: 'REASONING_MESSAGE_END', messageId }) +
    frameOf({ type: 'REASONING_END', messageId })
  );
}
