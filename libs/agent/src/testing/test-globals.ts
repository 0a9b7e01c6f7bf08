/** The matchers that a contract suite uses. */
export interface Assertions {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
  toMatchObject(expected: object): void;
  toHaveLength(expected: number): void;
  toBeUndefined(): void;
  toBeGreaterThan(expected: number): void;
  toBeGreaterThanOrEqual(expected: number): void;
}

/** The test runner's functions for contract suites. Jest has these, and so has Vitest with `globals`. */
export interface TestGlobals {
  readonly describe: (name: string, body: () => void) => void;
  readonly it: (name: string, body: () => unknown, timeoutMs?: number) => void;
  readonly beforeAll: (body: () => unknown, timeoutMs?: number) => void;
  readonly beforeEach: (body: () => unknown) => void;
  readonly afterEach: (body: () => unknown) => void;
  readonly afterAll: (body: () => unknown, timeoutMs?: number) => void;
  readonly expect: (value: unknown) => Assertions;
}

/**
 * The test runner's functions, looked up when a suite is described, so that importing this subpath
 * outside a test has no effect.
 *
 * @throws Error outside a test runner
 */
export function testGlobals(): TestGlobals {
  const globals = globalThis as unknown as Partial<TestGlobals>;
  if (!globals.describe || !globals.expect) {
    throw new Error(
      'A contract suite needs the globals describe, it and expect. Call it from a Jest test, or from Vitest with `globals: true`.',
    );
  }
  return globals as TestGlobals;
}
