const PATIENCE_MS = 4_000;

export function each<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** The `code` of a promise's rejection; `undefined` if it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code;
    throw error;
  }
}

/** Polls until there is a result, because tests cannot change the store's clock. Fails in the end. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUpAt) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error(`The store did not come round within ${PATIENCE_MS} ms.`);
}

export function hoursFromNow(hours: number): Date {
  return new Date(Date.now() + hours * 3_600_000);
}

export async function anotherMillisecond(): Promise<void> {
  const before = Date.now();
  while (Date.now() - before < 2) await new Promise((resolve) => setImmediate(resolve));
}
