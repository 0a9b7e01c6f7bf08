import type { AgUiEvent } from './ag-ui-event';

/** A step, a message or a call that has begun on a stream, so that it has to end. */
export class OpenParts {
  private step: string | undefined;
  private textId: string | undefined;
  private reasoningId: string | undefined;
  private readonly calls = new Set<string>();

  beginStep(stepName: string): readonly AgUiEvent[] {
    const events = this.closeAll();
    this.step = stepName;
    return [...events, { type: 'STEP_STARTED', stepName }];
  }

  say(messageId: string, delta: string): readonly AgUiEvent[] {
    const content: AgUiEvent = { type: 'TEXT_MESSAGE_CONTENT', messageId, delta };
    if (this.textId === messageId) return [content];
    const events = this.closeMessages();
    this.textId = messageId;
    return [...events, { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }, content];
  }

  reason(messageId: string, delta: string): readonly AgUiEvent[] {
    const content: AgUiEvent = { type: 'REASONING_MESSAGE_CONTENT', messageId, delta };
    if (this.reasoningId === messageId) return [content];
    const events = this.closeMessages();
    this.reasoningId = messageId;
    return [
      ...events,
      { type: 'REASONING_START', messageId },
      { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
      content,
    ];
  }

  hasCall(callId: string): boolean {
    return this.calls.has(callId);
  }

  beginCall(call: Omit<Extract<AgUiEvent, { type: 'TOOL_CALL_START' }>, 'type'>): AgUiEvent[] {
    const events = this.closeMessages();
    this.calls.add(call.toolCallId);
    return [...events, { type: 'TOOL_CALL_START', ...call }];
  }

  endCall(toolCallId: string): AgUiEvent {
    this.calls.delete(toolCallId);
    return { type: 'TOOL_CALL_END', toolCallId };
  }

  /** Ends the text and the reasoning, but no call: its end follows. */
  closeMessages(): readonly AgUiEvent[] {
    const { textId, reasoningId } = this;
    this.textId = undefined;
    this.reasoningId = undefined;
    return [
      ...(textId === undefined ? [] : [{ type: 'TEXT_MESSAGE_END', messageId: textId } as const]),
      ...(reasoningId === undefined ? [] : endOfReasoning(reasoningId)),
    ];
  }

  closeAll(): readonly AgUiEvent[] {
    const events = [
      ...this.closeMessages(),
      ...[...this.calls].map((callId) => this.endCall(callId)),
    ];
    const { step } = this;
    this.step = undefined;
    return step === undefined ? events : [...events, { type: 'STEP_FINISHED', stepName: step }];
  }
}

function endOfReasoning(messageId: string): readonly AgUiEvent[] {
  return [
    { type: 'REASONING_MESSAGE_END', messageId },
    { type: 'REASONING_END', messageId },
  ];
}
