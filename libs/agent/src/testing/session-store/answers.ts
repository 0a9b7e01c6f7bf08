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

export function hoursFromNow(hours: number): Date {
  return new Date(Date.now() + hours * 3_600_000);
}

export async function anotherMillisecond(): Promise<void> {
  const before = Date.now();
  while (Date.now() - before < 2) await new Promise((resolve) => setImmediate(resolve));
}
