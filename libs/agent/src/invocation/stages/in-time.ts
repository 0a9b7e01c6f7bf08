import { untilAborted } from '../call';

/**
 * How long the application's own code may think about a question, in milliseconds: a run waits for
 * it and holds its session.
 */
const ANSWER_MS = 30_000;

/** @throws Error where an answer takes too long, or nobody waits for it any more */
export async function inTime<T>(answer: T | Promise<T>, signal?: AbortSignal): Promise<T> {
  if (typeof answer !== 'object' || answer === null) return answer;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It did not answer in time.')), ANSWER_MS);
  });
  try {
    return await untilAborted(Promise.race([answer, late]), signal);
  } finally {
    clearTimeout(timer);
  }
}
