/** How long a suite waits for a slow server. */
export const PATIENCE_MS = 15_000;
/** Shorter than a test's usual time limit. */
const ANSWER_MS = 4_000;

/** Settles like the work, or rejects with this message after the time. */
export async function within<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks until there is an answer, because tests cannot change a server's clock. Fails in the end. */
export async function eventually<T>(
  ask: () => Promise<T | undefined>,
  ms = ANSWER_MS,
  failure = () => `There was no answer within ${ms} ms.`,
): Promise<T> {
  const giveUpAt = Date.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > giveUpAt) throw new Error(failure());
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Asks until the value is the expected one: a server may record an outcome with a delay. */
export async function becomes<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  let last: T | undefined;
  await eventually(
    async () => {
      last = await ask();
      return last === expected || undefined;
    },
    PATIENCE_MS,
    () => `It remained ${String(last)} and did not become ${String(expected)}.`,
  );
}
