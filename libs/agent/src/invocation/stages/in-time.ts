import { untilAborted } from '../call';

/**
 * Timeout of the application's callbacks, in milliseconds: a run waits for them while it holds its
 * session.
 */
export const ANSWER_MS = 30_000;

/**
 * @param what the callback's name, for the error
 * @throws Error after the timeout or on abort
 */
export async function inTime<T>(
  answer: T | Promise<T>,
  signal?: AbortSignal,
  what = 'It',
): Promise<T> {
  if (typeof answer !== 'object' || answer === null) return answer;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not answer in time.`)), ANSWER_MS);
  });
  try {
    return await untilAborted(Promise.race([answer, late]), signal);
  } finally {
    clearTimeout(timer);
  }
}
