import { isGeneratedId, type TranscriptMessage } from '../../session';

/** The assistant's message of a step; the same in a stream and in the history. */
export function answerId(runId: string, step: number): string {
  return `${runId}:${step}`;
}

export function reasoningId(runId: string, step: number): string {
  return `${answerId(runId, step)}:reasoning`;
}

/** The tool message with the result of a call. */
export function resultId(callId: string): string {
  return `${callId}:result`;
}

/** A question; named after its run if its client gave it no id that was kept. */
export function questionId({ id, runId }: TranscriptMessage): string {
  return isGeneratedId(id) && runId !== undefined ? `${runId}:question` : id;
}
