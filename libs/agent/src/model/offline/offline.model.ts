import { type ModelUsage, textOf, toolUsesOf, type Message } from '../../message';
import type { ChatModel, ModelEvent, ModelRequest } from '../chat-model';
import { pause, throwIfAborted } from '../../internal';
import { wholeCall } from '../tool-calls';
import { readTurn } from './conversation.reader';
import { structuredAnswer } from './structured-answer';
import type { OfflineOptions } from './offline';
import { planNextStep, type NextStep } from './turn.planner';

/** The characters of a summary, and the least of each message. */
const SUMMARY_CHARS = 4_000;
const MESSAGE_CHARS = 200;

/** See `offline()`. */
export class OfflineModel implements ChatModel {
  readonly name = 'offline';
  readonly provider = 'offline';
  readonly capabilities = { tools: true, offline: true } as const;

  constructor(private readonly options: OfflineOptions = {}) {}

  async *stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    throwIfAborted(signal);
    const step = nextStep(request);
    const inputTokens = tokens(JSON.stringify([request.system, request.messages, request.tools]));
    if (step.type === 'call') {
      yield* step.calls.flatMap(({ name, input }) => wholeCall(name, input));
      const outputTokens = tokens(JSON.stringify(step.calls));
      yield { type: 'finish', reason: 'tool_use', usage: usageOf(inputTokens, outputTokens) };
      return;
    }
    const limit = (request.maxTokens ?? Infinity) * 4;
    const text = step.text.slice(0, limit);
    let isFirst = true;
    for (const delta of text.match(/\S*\s*(?:\S+\s+){0,3}/g) ?? []) {
      if (delta === '') continue;
      if (!isFirst) await this.pace(signal);
      isFirst = false;
      yield { type: 'text.delta', delta };
    }
    throwIfAborted(signal);
    const reason = text.length < step.text.length ? 'max_tokens' : 'end_turn';
    yield { type: 'finish', reason, usage: usageOf(inputTokens, tokens(text)) };
  }

  private async pace(signal: AbortSignal): Promise<void> {
    const { deltaDelayMs = 0 } = this.options;
    if (deltaDelayMs > 0) await pause(deltaDelayMs, signal);
    else throwIfAborted(signal);
  }
}

function nextStep(request: ModelRequest): NextStep {
  const { responseFormat, messages } = request;
  if (responseFormat?.type === 'json_schema') {
    const answer = structuredAnswer(responseFormat.schema, readTurn(messages).ask);
    return { type: 'say', text: JSON.stringify(answer) };
  }
  if (request.tools.length === 0 && wantsSummary(request)) {
    return { type: 'say', text: summarize(messages) };
  }
  return planNextStep(request);
}

/** About four characters of English are one token. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function usageOf(inputTokens: number, outputTokens: number): ModelUsage {
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

/** Whether a request asks for a summary of the conversation. */
function wantsSummary({ system = '', messages }: ModelRequest): boolean {
  const last = messages.at(-1);
  return (
    /summar/i.test(system) ||
    (last !== undefined && /^\W*(?:\w+\W+){0,6}summar/i.test(textOf(last)))
  );
}

/** The questions and the tools used, in the words of the conversation itself. */
function summarize(messages: readonly Message[]): string {
  // The session's compaction asks with the whole conversation in one message.
  const most = Math.max(MESSAGE_CHARS, SUMMARY_CHARS / messages.length);
  const lines = messages.flatMap((message) => {
    const text = textOf(message).replace(/\s+/g, ' ').trim();
    const calls = toolUsesOf(message).map(({ name, input }) => `${name}(${JSON.stringify(input)})`);
    return [
      ...(text === '' ? [] : [`${message.role}: ${text.slice(0, most)}`]),
      ...(calls.length === 0 ? [] : [`tools used: ${calls.join(', ').slice(0, most)}`]),
    ];
  });
  return `Summary of the conversation so far:\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
