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

/** The name that a question has in the store if its client gave it none, or a number. */
const NUMBER = /^\d+$/;

/**
 * A question. Clients may number their messages too: the store's own numbers would be taken for
 * theirs.
 */
export function questionId({
  id,
  runId,
}: {
  readonly id: string;
  readonly runId?: string;
}): string {
  return NUMBER.test(id) && runId !== undefined ? `${runId}:question` : id;
}
