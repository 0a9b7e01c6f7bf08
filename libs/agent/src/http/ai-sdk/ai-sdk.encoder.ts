import { type AgentEvent, type JsonObject, resultText, type EventOf } from '../../message';
import { type ChatResult, INTERNAL_FAILURE } from '../../run';
import { isShownFlat, type RunEncoder, wordedEnd } from '../sse';
import { HeldCalls } from './held-calls';
import { StepFrames } from './step-frames';
import { outputOf } from './tool-output';
import { DONE, framesOf, type UiChunk, type UiFinishReason } from './ui-chunk';

interface EncoderOptions {
  readonly runId: string;
  readonly sessionId: string;
  /** The model's name; by default the one in the run's first event. */
  readonly model?: string;
  /** The id of the assistant's message: on a continuation the client's own, which must be echoed. */
  readonly messageId: string;
  readonly sendReasoning: boolean;
  /** The client's own name of one of its tools. */
  readonly clientNameOf?: (name: string) => string;
  /** Calls that earlier responses sent, and those of them that the client executes. */
  readonly sentCalls?: readonly string[];
  readonly frontendCalls?: readonly string[];
  /** Set for a replay, which ends with its last event; calls that have their results already. */
  readonly replay?: { readonly settled: readonly string[] };
}

type End = Pick<ChatResult, 'status' | 'stopReason' | 'usage'>;

/** Marks calls that the client neither runs nor waits for. */
const HERE = { providerExecuted: true } as const;

/** A run as the AI SDK's UI message stream. One encoder writes one assistant's message. */
export class AiSdkEncoder implements RunEncoder {
  readonly headers = { 'x-vercel-ai-ui-message-stream': 'v1' };
  private readonly step = new StepFrames();
  private readonly sentCalls: Set<string>;
  private readonly settled: ReadonlySet<string>;
  /** Calls that the client carries out. */
  private readonly frontend: Set<string>;
  /** Calls that the client was given to carry out. */
  private readonly given = new Set<string>();
  private readonly streamed = new Set<string>();
  private readonly held = new HeldCalls();
  /** Whether a step is unfinished: a worker that stops later leaves a finished one as it is. */
  private isInStep = false;
  private model: string;
  private failure: { readonly code: string; readonly message: string } = INTERNAL_FAILURE;

  constructor(private readonly options: EncoderOptions) {
    const { sentCalls = [], frontendCalls = [], replay, model = '' } = options;
    this.model = model;
    this.sentCalls = new Set(sentCalls);
    this.frontend = new Set(frontendCalls);
    this.settled = new Set(replay?.settled);
  }

  open(): string {
    const { sessionId, runId, messageId } = this.options;
    const messageMetadata = { sessionId, runId, model: this.model };
    return framesOf({ type: 'start', messageId, messageMetadata });
  }

  encode(event: AgentEvent): string {
    if (!isShownFlat(event) || this.held.takes(event)) return '';
    switch (event.type) {
      case 'step.started':
        this.isInStep = true;
        return this.step.announce();
      case 'thinking.delta':
        return this.options.sendReasoning ? this.step.say('reasoning', event) : '';
      case 'text.delta':
        return this.step.say('text', event);
      case 'tool.input.delta':
        return this.input(event);
      case 'tool.call':
        return this.call(event);
      case 'approval.required':
        return this.approval(event);
      case 'frontend.call':
        return this.handOver(event);
      case 'tool.progress': {
        const { callId: toolCallId, data } = event;
        return this.inform('data-tool-progress', { toolCallId, data });
      }
      case 'tool.result':
        return this.result(event);
      case 'source': {
        const { url, title, seq } = event;
        const named = title === undefined ? {} : { title };
        return this.step.put({ type: 'source-url', sourceId: String(seq), url, ...named });
      }
      case 'provider.tool':
        return this.providerTool(event);
      case 'notice': {
        const { code, message } = event;
        return this.inform('data-notice', { code, message });
      }
      case 'compaction': {
        const { tokensBefore, tokensAfter, messages } = event;
        return this.inform('data-compaction', { tokensBefore, tokensAfter, messages });
      }
      case 'error':
        this.failure = event;
        return '';
      case 'run.finished':
        return (
          this.lastWords(event) + this.waiting() + (this.options.replay ? this.close(event) : '')
        );
      case 'step.finished':
        this.isInStep = false;
        return this.step.close();
      case 'step.discarded': {
        if (!this.isInStep) return '';
        this.isInStep = false;
        const { from, to } = event;
        for (const callId of this.streamed)
          if (!this.sentCalls.has(callId)) this.streamed.delete(callId);
        return this.step.discard({ from, to });
      }
      case 'run.started':
        this.model = event.model;
        return '';
      case 'agent.text.delta':
        return '';
    }
  }

  close({ status, stopReason, usage }: End): string {
    const isOver = status !== 'requires_action' && status !== 'failed';
    const closed = this.step.finish(isOver);
    if (status === 'cancelled') return closed + framesOf({ type: 'abort' }) + DONE;
    if (status === 'failed') {
      const { code, message } = this.failure;
      const failed = framesOf(
        { type: 'message-metadata', messageMetadata: { error: { code } } },
        { type: 'error', errorText: message },
      );
      return closed + failed + DONE;
    }
    const messageMetadata = { status, ...(stopReason && { stopReason }), usage };
    const finishReason = finishReasonOf({ status, stopReason });
    return closed + framesOf({ type: 'finish', finishReason, messageMetadata }) + DONE;
  }

  private input({
    callId: toolCallId,
    name,
    delta: inputTextDelta,
  }: EventOf<'tool.input.delta'>): string {
    const isFirst = !this.streamed.has(toolCallId);
    this.streamed.add(toolCallId);
    const toolName = this.nameOf(name);
    return [
      isFirst ? this.step.put({ type: 'tool-input-start', toolCallId, toolName }) : '',
      this.step.put({ type: 'tool-input-delta', toolCallId, inputTextDelta }),
    ].join('');
  }

  private call(event: EventOf<'tool.call'>, isSettled = false): string {
    const { callId: toolCallId, name, kind, input, awaits } = event;
    const isAsked = event.agent !== undefined;
    const isAgain = this.sentCalls.has(toolCallId);
    this.sentCalls.add(toolCallId);
    if (kind === 'frontend') this.frontend.add(toolCallId);
    if (awaits === 'frontend') this.given.add(toolCallId);
    const isDoneHere = awaits === undefined && !(isAgain && kind === 'frontend');
    const chunk: UiChunk = {
      type: 'tool-input-available',
      toolCallId,
      toolName: this.nameOf(name),
      input,
      ...((isDoneHere || isSettled || this.settled.has(toolCallId)) && HERE),
    };
    // Calls of an asked agent belong to the step of the asking call.
    return isAgain || isAsked ? this.step.add(chunk) : this.step.put(chunk);
  }

  private approval({
    callId: toolCallId,
    reason,
    expiresAt,
  }: EventOf<'approval.required'>): string {
    const approvalDescriptor = { reason, expiresAt };
    return this.step.add({
      type: 'tool-approval-request',
      approvalId: toolCallId,
      toolCallId,
      reason,
      approvalDescriptor,
    });
  }

  /** A call that had to be approved first is the client's only now. */
  private handOver({ callId: toolCallId, name, input }: EventOf<'frontend.call'>): string {
    this.frontend.add(toolCallId);
    if (this.given.has(toolCallId)) return '';
    this.given.add(toolCallId);
    const toolName = this.nameOf(name);
    return this.step.add({ type: 'tool-input-available', toolCallId, toolName, input });
  }

  private result(event: EventOf<'tool.result'>): string {
    const held = this.held.release(event.callId);
    return (held ? this.call(held.call, true) : '') + this.settle(event);
  }

  private settle({ callId: toolCallId, output, outcome }: EventOf<'tool.result'>): string {
    const where = this.frontend.has(toolCallId) ? {} : HERE;
    switch (outcome) {
      case 'ok':
        return this.step.settle({
          type: 'tool-output-available',
          toolCallId,
          output: outputOf(output),
          ...where,
        });
      case 'declined':
        return this.step.settle({ type: 'tool-output-denied', toolCallId });
      case 'error':
      case 'expired':
      case 'interrupted': {
        const errorText = resultText(output);
        return this.step.settle({ type: 'tool-output-error', toolCallId, errorText, ...where });
      }
    }
  }

  private providerTool({
    callId: toolCallId,
    name,
    input = {},
    output = null,
  }: EventOf<'provider.tool'>) {
    const where = { toolCallId, ...HERE };
    return [
      this.step.put({ type: 'tool-input-available', toolName: name, input, ...where }),
      this.step.add({ type: 'tool-output-available', output, ...where }),
    ].join('');
  }

  private inform(
    type: 'data-tool-progress' | 'data-compaction' | 'data-notice',
    data: JsonObject,
  ): string {
    return this.step.add({ type, data, transient: true });
  }

  /** The end that the library words is a step of its own. */
  private lastWords(event: EventOf<'run.finished'>): string {
    const delta = wordedEnd(event, this.step.lastText);
    if (delta === '') return this.step.close();
    return (
      this.step.announce() + this.step.say('text', { delta, seq: event.seq }) + this.step.close()
    );
  }

  /** The pending actions of asked agents, in a last step: clients answer it once all have answers. */
  private waiting(): string {
    const held = this.held.releaseAll();
    if (held.length === 0) return '';
    const begun = this.step.announce() + this.step.begin();
    const asked = held.map(
      ({ call, approval }) => this.call(call) + (approval ? this.approval(approval) : ''),
    );
    return begun + asked.join('');
  }

  private nameOf(name: string): string {
    return this.options.clientNameOf?.(name) ?? name;
  }
}

function finishReasonOf({
  status,
  stopReason,
}: Pick<End, 'status' | 'stopReason'>): UiFinishReason {
  if (status === 'requires_action') return 'tool-calls';
  switch (stopReason) {
    case 'end_turn':
      return 'stop';
    case 'max_tokens':
    case 'budget':
      return 'length';
    case 'refusal':
      return 'content-filter';
    default:
      return 'other';
  }
}
