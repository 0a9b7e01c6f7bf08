import { inParallel } from '../internal';
import type { ToolCall, ToolResponse } from '../tool';
import type { ToolDefaults } from './call';

interface ExecuteAllOptions extends Partial<Pick<ToolDefaults, 'parallel' | 'maxConcurrency'>> {
  /** Executes one call; `call.response.execute()` by default. */
  readonly execute?: (call: ToolCall) => Promise<unknown>;
}

/**
 * Executes the pending calls of one step in order; adjacent `concurrencySafe` calls run in
 * parallel, up to `maxConcurrency`. A failed call does not affect others. Other calls keep their
 * response.
 *
 * @returns every call's response, in call order
 * @throws the first error of `execute`, after all calls have ended
 */
export async function executeAll(
  calls: readonly ToolCall[],
  {
    parallel = true,
    maxConcurrency = 8,
    execute = ({ response }) => response.execute(),
  }: ExecuteAllOptions = {},
): Promise<readonly ToolResponse[]> {
  const failures: unknown[] = [];
  for (const batch of batches(calls, parallel)) {
    await inParallel(batch, maxConcurrency, async (call) => {
      if (call.response.status !== 'pending') return;
      await execute(call).catch((error: unknown) => failures.push(error));
    });
  }
  if (failures.length > 0) throw failures[0];
  return calls.map(({ response }) => response);
}

function batches(calls: readonly ToolCall[], parallel: boolean): readonly (readonly ToolCall[])[] {
  const result: ToolCall[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const isSafe = parallel && call.tool?.traits.concurrencySafe === true;
    const last = result.at(-1);
    if (isSafe && isOpen && last !== undefined) last.push(call);
    else result.push([call]);
    isOpen = isSafe;
  }
  return result;
}
