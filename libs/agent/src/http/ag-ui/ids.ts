/** The assistant's message of a step; the same in a stream and in the history. */
export function answerId(runId: string, step: number): string {
  return `${runId}:${step}`;
}

/** The reasoning of a step. */
export function reasoningId(runId: string, step: number): string {
  return `${answerId(runId, step)}:reasoning`;
}

/** The tool message with the result of a call. */
export function resultId(callId: string): string {
  return `${callId}:result`;
}
