import type { ToolCall, ToolResponse } from '../tool';
import type { ToolDefaults } from './call';

interface ExecuteAllOptions extends Partial<Pick<ToolDefaults, 'parallel' | 'maxConcurrency'>> {
  /** What to do with one call; `call.response.execute()` without it. */
  readonly execute?: (call: ToolCall) => Promise<unknown>;
}

/**
 * Executes the pending calls of one step: neighbours that are `concurrencySafe` beside each other,
 * up to `maxConcurrency`, every other call alone, in order. A call that fails does not disturb its
 * siblings. Calls that are not pending keep the response they have.
 *
 * @returns every call's response, in call order
 * @throws what `execute` rejected with first, once all calls have come to an end
 */
export async function executeAll(
  calls: readonly ToolCall[],
  { parallel = true, maxConcurrency = 8, execute = executeCall }: ExecuteAllOptions = {},
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

function executeCall(call: ToolCall): Promise<ToolResponse> {
  return call.response.execute();
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

/** As many workers as may run at a time, each taking the next item; the iterator is shared. */
async function inParallel<T>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(Math.max(1, limit), items.length) }, worker));
}
