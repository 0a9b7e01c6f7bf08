import {
  type CallOutcome,
  type ContentBlock,
  type ResultContent,
  resultText,
  textOf,
  toolUsesOf,
} from '../../message';
import { outcomeOf, type TranscriptMessage } from '../../session';
import { areCutOff, CUT_OFF, type Thread } from '../threads';
import { answerId, questionId, reasoningId, resultId } from './ids';

/** A message of the history, in AG-UI's form. */
export type AgUiMessage =
  | { readonly id: string; readonly role: 'system' | 'reasoning'; readonly content: string }
  | { readonly id: string; readonly role: 'user'; readonly content: string | readonly object[] }
  | {
      readonly id: string;
      readonly role: 'assistant';
      readonly content?: string;
      readonly toolCalls?: readonly object[];
    }
  | ToolMessage;

/** The result of a call. */
export interface ToolMessage {
  readonly id: string;
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly content: string;
  readonly metadata: { readonly isError: boolean; readonly outcome?: CallOutcome };
}

export interface HistoryOptions {
  /** The session's last run, if there is one. */
  readonly run: Thread['run'];
  readonly sendReasoning: boolean;
  /** The client's name of a tool; ours by default. */
  readonly clientNameOf?: (name: string) => string;
}

/** A session's messages under the ids that its streams had. */
export function historyOf(
  transcript: readonly TranscriptMessage[],
  options: HistoryOptions,
): readonly AgUiMessage[] {
  const steps = new Map<string, number>();
  const answered = answeredIn(transcript);
  return transcript.flatMap((message): readonly AgUiMessage[] => {
    switch (message.role) {
      case 'system':
        return [{ id: message.id, role: 'system', content: textOf(message) }];
      case 'user':
        return [...resultsIn(message), ...questionIn(message)];
      case 'assistant': {
        const { runId = message.id } = message;
        const step = (steps.get(runId) ?? 0) + 1;
        steps.set(runId, step);
        const answer = answerIn(message, { runId, step }, options);
        if (!areCutOff(message.runId, options.run)) return answer;
        const open = toolUsesOf(message).filter(({ id }) => !answered.has(id));
        return [...answer, ...open.map(({ id }) => cutOff(id))];
      }
    }
  });
}

/** The number of a run's answers in a session. */
export function stepsIn(transcript: readonly TranscriptMessage[], runId: string): number {
  return transcript.filter((each) => each.role === 'assistant' && each.runId === runId).length;
}

function answeredIn(transcript: readonly TranscriptMessage[]): ReadonlySet<string> {
  const blocks = transcript.flatMap(({ content }) => content);
  return new Set(
    blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
  );
}

/** Clients show a call without a result as one that runs. */
function cutOff(callId: string): ToolMessage {
  return toolMessage({ callId, output: CUT_OFF, isError: true, outcome: 'interrupted' });
}

function resultsIn(message: TranscriptMessage): readonly ToolMessage[] {
  return message.content.flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    const { tool_use_id: callId, content: output, is_error: isError } = block;
    return [toolMessage({ callId, output, isError, outcome: outcomeOf(message, callId) })];
  });
}

/** A call's result, the same in a stream and in the history. */
export function toolMessage({
  callId,
  output,
  isError,
  outcome,
}: {
  readonly callId: string;
  readonly output: ResultContent;
  readonly isError: boolean;
  readonly outcome: CallOutcome | undefined;
}): ToolMessage {
  return {
    id: resultId(callId),
    role: 'tool',
    toolCallId: callId,
    content: resultText(output),
    metadata: { isError, ...(outcome && { outcome }) },
  };
}

function questionIn(message: TranscriptMessage): readonly AgUiMessage[] {
  const { content } = message;
  const id = questionId(message);
  const parts = content.filter(({ type }) => type !== 'tool_result');
  if (parts.length === 0) return [];
  const [only] = parts;
  const isText = parts.length === 1 && only?.type === 'text';
  return [{ id, role: 'user', content: isText ? only.text : parts.flatMap(partOf) }];
}

function answerIn(
  message: TranscriptMessage,
  { runId, step }: { readonly runId: string; readonly step: number },
  { sendReasoning, clientNameOf = (name) => name }: HistoryOptions,
): readonly AgUiMessage[] {
  const reasoning = message.content
    .map((block) => (block.type === 'reasoning' ? block.text : ''))
    .join('');
  const text = textOf(message);
  const toolCalls = toolUsesOf(message).map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name: clientNameOf(name), arguments: JSON.stringify(input) },
  }));
  const thoughts: AgUiMessage[] =
    sendReasoning && reasoning !== ''
      ? [{ id: reasoningId(runId, step), role: 'reasoning', content: reasoning }]
      : [];
  if (text === '' && toolCalls.length === 0) return thoughts;
  return [
    ...thoughts,
    {
      id: answerId(runId, step),
      role: 'assistant',
      ...(text !== '' && { content: text }),
      ...(toolCalls.length > 0 && { toolCalls }),
    },
  ];
}

function partOf(block: ContentBlock): readonly object[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type !== 'image' && block.type !== 'file') return [];
  const { mediaType, data, url = '', name: filename } = block;
  const source =
    data === undefined
      ? { type: 'url', value: url, ...(mediaType !== undefined && { mimeType: mediaType }) }
      : { type: 'data', value: data, mimeType: mediaType ?? 'application/octet-stream' };
  const named = filename === undefined ? {} : { metadata: { filename } };
  return [{ type: block.type === 'image' ? 'image' : 'document', source, ...named }];
}
