import { defined } from '../../internal';
import {
  type CallOutcome,
  type ContentBlock,
  type FileBlock,
  type ImageBlock,
  type PendingAction,
  resultText,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../../message';
import {
  approvalAnswerOf,
  approvalReason,
  type CallApproval,
  isGeneratedId,
  outcomeOf,
  type TranscriptMessage,
} from '../../session';
import { areCutOff, CUT_OFF, type Thread } from '../threads';
import { answerIdOf, questionIdOf } from './message-ids';
import { outputOf } from './tool-output';
import type { UiMessage, UiPart, UiToolPart } from './ui-message';

interface HistoryOptions {
  /** The session, with the pending actions of its last run. */
  readonly thread: Thread;
  readonly sendReasoning: boolean;
}

/**
 * A session as the AI SDK's messages: all answers of a run are one message, with the results of its
 * calls and the pending actions of the last run.
 */
export function uiMessagesOf(
  transcript: readonly TranscriptMessage[],
  options: HistoryOptions,
): readonly UiMessage[] {
  const history = new UiHistory(options);
  for (const message of transcript) history.add(message);
  history.addWaiting();
  return history.messages;
}

/** A message that is still being put together. */
interface Draft extends UiMessage {
  readonly parts: UiPart[];
}

class UiHistory {
  readonly messages: Draft[] = [];
  /** The position of a call's part. */
  private readonly calls = new Map<string, { readonly parts: UiPart[]; readonly index: number }>();
  private readonly pending: ReadonlyMap<string, PendingAction>;

  constructor(private readonly options: HistoryOptions) {
    const { run } = options.thread;
    this.pending = new Map(run?.pendingActions.map((action) => [action.callId, action]));
  }

  add(message: TranscriptMessage): void {
    if (message.role === 'assistant') {
      this.addAnswer(message);
      return;
    }
    for (const block of message.content) {
      if (block.type === 'tool_result') this.settle(block, message);
    }
    const parts = message.content.flatMap(questionPart);
    if (parts.length > 0) this.begin(message, this.questionId(message)).parts.push(...parts);
  }

  /** The pending actions of agents that the last run asked; their calls are in no message of the session. */
  addWaiting(): void {
    const { run } = this.options.thread;
    const asked = [...this.pending.values()].filter(({ callId }) => !this.calls.has(callId));
    const last = this.messages.at(-1);
    if (asked.length === 0 || run === undefined || last?.id !== answerIdOf(run.runId)) return;
    const parts = asked.map(({ callId: id, name, input }) =>
      this.openCall({ type: 'tool_use', id, name, input }, run.runId),
    );
    last.parts.push({ type: 'step-start' }, ...parts);
  }

  private addAnswer(message: TranscriptMessage): void {
    const { runId, id } = message;
    const answerId = runId === undefined ? id : answerIdOf(runId);
    const last = this.messages.at(-1);
    const { parts } = last?.id === answerId ? last : this.begin(message, answerId);
    parts.push({ type: 'step-start' });
    for (const block of message.content) {
      const part = this.answerPart(block, `${id}.${parts.length}`, runId);
      if (part === undefined) continue;
      if (block.type === 'tool_use') this.calls.set(block.id, { parts, index: parts.length });
      parts.push(part);
    }
  }

  private begin({ role, runId, at }: TranscriptMessage, id: string): Draft {
    const { sessionId } = this.options.thread;
    const metadata = defined({ sessionId, runId, createdAt: at });
    const begun: Draft = { id, role, metadata, parts: [] };
    this.messages.push(begun);
    return begun;
  }

  /** The client would not keep our ids when it repeats the question. */
  private questionId({ id, runId }: TranscriptMessage): string {
    return !isGeneratedId(id) || runId === undefined ? id : questionIdOf(runId);
  }

  private answerPart(
    block: ContentBlock,
    sourceId: string,
    runId: string | undefined,
  ): UiPart | undefined {
    switch (block.type) {
      case 'text':
        return { type: 'text', text: block.text, state: 'done' };
      case 'reasoning': {
        const isShown = this.options.sendReasoning && block.text !== '';
        return isShown ? { type: 'reasoning', text: block.text, state: 'done' } : undefined;
      }
      case 'tool_use':
        return this.openCall(block, runId);
      case 'source': {
        const { url, title } = block;
        return { type: 'source-url', sourceId, url, ...(title !== undefined && { title }) };
      }
      case 'provider_tool': {
        const { id: toolCallId, name, input = {}, output = null } = block;
        const call = { type: `tool-${name}`, toolCallId, input, providerExecuted: true } as const;
        return { ...call, state: 'output-available', output };
      }
      case 'image':
      case 'file':
        return fileOf(block);
      case 'tool_result':
        return undefined;
    }
  }

  /**
   * A call without a result: it is pending, was approved and waits for other answers, runs, or was cut
   * off with its process, until the next message settles it.
   */
  private openCall(
    { id: toolCallId, name, input }: ToolUseBlock,
    runId: string | undefined,
  ): UiToolPart {
    const action = this.pending.get(toolCallId);
    const call = { type: `tool-${name}`, toolCallId, input: action?.input ?? input } as const;
    if (action?.type === 'approval') {
      const descriptor = { reason: approvalReason(name), expiresAt: action.expiresAt };
      return { ...call, state: 'approval-requested', approval: { id: toolCallId, descriptor } };
    }
    if (action !== undefined) return { ...call, state: 'input-available' };
    const { run } = this.options.thread;
    if (areCutOff(runId, run)) {
      return { ...call, state: 'output-error', providerExecuted: true, errorText: CUT_OFF };
    }
    const isAsking = [...this.pending.values()].some(({ agent }) => agent !== undefined);
    if (run?.status === 'requires_action' && !isAsking) {
      const approval = { id: toolCallId, approved: true } as const;
      return { ...call, state: 'approval-responded', approval };
    }
    return { ...call, state: 'input-available', providerExecuted: true };
  }

  private settle({ tool_use_id: id, content }: ToolResultBlock, message: TranscriptMessage): void {
    const place = this.calls.get(id);
    const open = place?.parts[place.index] as UiToolPart | undefined;
    if (place === undefined || open === undefined) return;
    const { type, toolCallId, input } = open;
    place.parts[place.index] = {
      ...{ type, toolCallId, input, providerExecuted: true },
      ...resultOf(id, content, outcomeOf(message, id), approvalAnswerOf(message, id)),
    };
  }
}

/** How a call came out. */
function resultOf(
  id: string,
  content: ToolResultBlock['content'],
  outcome: CallOutcome = 'ok',
  answer?: CallApproval,
) {
  const approval = answer?.approved ? { approval: { id, approved: true } as const } : {};
  switch (outcome) {
    case 'ok':
      return { state: 'output-available', output: outputOf(content), ...approval } as const;
    case 'declined': {
      const { reason } = answer ?? {};
      const declined = { id, approved: false, ...(reason !== undefined && { reason }) } as const;
      return { state: 'output-denied', approval: declined } as const;
    }
    case 'error':
    case 'expired':
    case 'interrupted':
      return { state: 'output-error', errorText: resultText(content), ...approval } as const;
  }
}

function questionPart(block: ContentBlock): readonly UiPart[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  return block.type === 'image' || block.type === 'file' ? [fileOf(block)] : [];
}

function fileOf(block: ImageBlock | FileBlock): UiPart {
  const { type, data, url = '', name } = block;
  const mediaType = block.mediaType ?? (type === 'image' ? 'image/*' : 'application/octet-stream');
  return {
    type: 'file',
    mediaType,
    url: data === undefined ? url : `data:${mediaType};base64,${data}`,
    ...(name !== undefined && { filename: name }),
  };
}
