import { type AgentEvent, type JsonValue, type EventOf } from '../../message';
import type { ChatResult, RunFailure, RunHandle } from '../../run';
import { isShownFlat, wordedEnd } from '../sse';
import { frameOf, type RunOutcome } from './ag-ui-event';
import { answerId, reasoningId } from './ids';
import { type AgUiMessage, toolMessage, type ToolMessage } from './history';
import { interruptsOf, openActions } from './interrupts';
import { OpenParts } from './open-parts';
import { RequestUsage } from './token-usage';

const PROTOCOL_VERSION = '1.0';

/** The facts of a request that its events depend on. */
export interface AgUiStreamOptions {
  /** The client's own ids, sent back. */
  readonly threadId: string;
  readonly runId: string;
  /** Whether the client knows the fields of AG-UI 1.0; clients before it reject them. */
  readonly isModern: boolean;
  readonly sendReasoning: boolean;
  clientNameOf(name: string): string;
}

/** The part of a run that a client received before this request. */
interface Received {
  /** Its answers so far. */
  readonly steps: number;
  /** The calls with a tool message of the client: a second result would stand beside it. */
  readonly answered: ReadonlySet<string>;
}

/** The AG-UI run of one request, which may continue one of our runs and then start another. */
export class AgUiEncoder {
  private readonly open = new OpenParts();
  private readonly usage = new RequestUsage();
  private readonly sentCalls = new Set<string>();
  private answered: ReadonlySet<string> = new Set();
  private run: Pick<RunHandle, 'runId' | 'model' | 'before'> | undefined;
  private step = 0;
  /** Whether the step has its answer, so that further text is another message. */
  private isAnswered = true;
  private text = '';

  constructor(private readonly options: AgUiStreamOptions) {}

  begin(): string {
    const { threadId, runId, isModern } = this.options;
    return frameOf({
      type: 'RUN_STARTED',
      threadId,
      runId,
      ...(isModern && { protocolVersion: PROTOCOL_VERSION }),
    });
  }

  snapshot(messages: readonly (AgUiMessage | object)[]): string {
    return this.open.closeAll() + frameOf({ type: 'MESSAGES_SNAPSHOT', messages });
  }

  /** Whether the present step is unfinished: a worker that stops later leaves it as it is. */
  get isInStep(): boolean {
    return !this.isAnswered;
  }

  /** Removes the messages of the current step, which is sent again under the same ids. */
  withoutStep(history: readonly AgUiMessage[], unanswered: readonly object[]): string {
    const runId = this.run?.runId ?? '';
    const ids = [answerId(runId, this.step), reasoningId(runId, this.step)];
    const begin = history.findIndex(({ id }) => ids.includes(id));
    return this.snapshot([...(begin < 0 ? history : history.slice(0, begin)), ...unanswered]);
  }

  /** Results of calls from before this request. */
  results(messages: readonly ToolMessage[]): string {
    return messages.map(resultFrame).join('');
  }

  /** The events from now on are this run's. */
  enter(run: RunHandle, { steps, answered }: Received): void {
    this.run = run;
    this.step = steps;
    this.isAnswered = true;
    this.text = '';
    this.answered = answered;
    for (const callId of run.before.calls) this.sentCalls.add(callId);
  }

  encode(event: AgentEvent): string {
    if (!isShownFlat(event)) return '';
    const { runId } = event;
    switch (event.type) {
      case 'step.started':
        this.step = event.step;
        this.isAnswered = false;
        this.text = '';
        return this.open.beginStep(`step-${event.step}`);
      case 'thinking.delta':
        if (!this.options.sendReasoning || event.delta === '') return '';
        return this.open.reason(reasoningId(runId, this.step), event.delta);
      case 'text.delta':
        return this.say(event.delta);
      case 'tool.input.delta':
        return this.sentCalls.has(event.callId) ? '' : this.input(event);
      case 'tool.call':
        return this.call(event);
      case 'tool.result':
        return this.answered.has(event.callId) ? '' : resultFrame(toolMessage(event));
      case 'tool.progress':
        return custom('tool-progress', { toolCallId: event.callId, data: event.data });
      case 'compaction': {
        const { tokensBefore, tokensAfter, messages } = event;
        return custom('compaction', { tokensBefore, tokensAfter, messages });
      }
      case 'source': {
        const { url, title } = event;
        return custom('source', { url, ...(title !== undefined && { title }) });
      }
      case 'provider.tool': {
        const { callId: toolCallId, name, input, output } = event;
        const known = { ...(input && { input }), ...(output !== undefined && { output }) };
        return custom('provider-tool', { toolCallId, name, ...known });
      }
      case 'notice': {
        const { code, message } = event;
        return custom('notice', { code, message });
      }
      case 'step.discarded':
        if (this.isAnswered) return '';
        this.text = '';
        return this.open.closeMessages();
      case 'step.finished':
        this.isAnswered = true;
        return this.open.closeMessages();
      default:
        return '';
    }
  }

  /** The end of a run's events. */
  leave(result: ChatResult): string {
    const { run } = this;
    if (run) this.usage.add(run.model, result.usage, run.before.usage);
    const { stopReason, message } = result;
    const words = stopReason === undefined ? '' : wordedEnd({ stopReason, message }, this.text);
    return this.say(words) + this.open.closeAll();
  }

  /** The end of the request. */
  finish({ status, pendingActions }: Pick<ChatResult, 'status' | 'pendingActions'>): string {
    const { threadId, runId, isModern } = this.options;
    const outcome = this.outcomeOf(status, pendingActions);
    const usage = isModern ? this.usage.perModel() : undefined;
    const end = { ...(outcome && { outcome }), ...(usage && { usage }) };
    return this.open.closeAll() + frameOf({ type: 'RUN_FINISHED', threadId, runId, ...end });
  }

  fail({ code, message }: Pick<RunFailure, 'code' | 'message'>): string {
    return this.open.closeAll() + frameOf({ type: 'RUN_ERROR', code, message });
  }

  private say(delta: string): string {
    if (delta === '') return '';
    if (this.isAnswered) {
      this.step += 1;
      this.isAnswered = false;
    }
    this.text += delta;
    return this.open.say(answerId(this.run?.runId ?? '', this.step), delta);
  }

  private input(event: EventOf<'tool.input.delta'>): string {
    const { callId: toolCallId, delta } = event;
    const begun = this.open.hasCall(toolCallId) ? '' : this.beginCall(event);
    return delta === '' ? begun : begun + frameOf({ type: 'TOOL_CALL_ARGS', toolCallId, delta });
  }

  /** Sends a call once: clients append repeated arguments to the first ones. */
  private call(event: EventOf<'tool.call'>): string {
    const { callId: toolCallId, input } = event;
    if (this.sentCalls.has(toolCallId)) return '';
    this.sentCalls.add(toolCallId);
    if (this.open.hasCall(toolCallId)) return this.open.endCall(toolCallId);
    return (
      this.beginCall(event) +
      frameOf({ type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input) }) +
      this.open.endCall(toolCallId)
    );
  }

  private beginCall(call: {
    readonly runId: string;
    readonly callId: string;
    readonly name: string;
  }): string {
    return this.open.beginCall({
      toolCallId: call.callId,
      toolCallName: this.options.clientNameOf(call.name),
      parentMessageId: answerId(call.runId, this.step),
    });
  }

  private outcomeOf(
    status: ChatResult['status'],
    pending: ChatResult['pendingActions'],
  ): RunOutcome | undefined {
    const { isModern } = this.options;
    if (status === 'cancelled') return isModern ? { type: 'cancelled' } : undefined;
    const approvals = openActions('approval', pending);
    if (approvals.length > 0) return { type: 'interrupt', interrupts: interruptsOf(approvals) };
    const ids = openActions('frontend', pending).map(({ callId }) => callId);
    if (ids.length === 0) return { type: 'success' };
    // Before 1.0 "success" says that nothing waits: assistant-ui would keep its result to itself.
    return isModern ? { type: 'success', pendingToolCallIds: ids } : undefined;
  }
}

function resultFrame({ id: messageId, metadata, ...result }: ToolMessage): string {
  const { isError, outcome = 'interrupted' } = metadata;
  const fields = { messageId, ...result, metadata: { isError, outcome } };
  return frameOf({ type: 'TOOL_CALL_RESULT', ...fields });
}

function custom(name: string, value: JsonValue): string {
  return frameOf({ type: 'CUSTOM', name, value });
}
