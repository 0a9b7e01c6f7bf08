import { isRepeatable } from '../../tool';
import { ownCopyOf } from '../result';
import { CallInterruptedError, type Execution, LiveToolContext } from '../call';
import { settledValue } from './settled-value';

/** Runs the tool once: injects the context, awaits the result, forwards progress. */
export async function invokeTool(execution: Execution, signal?: AbortSignal): Promise<unknown> {
  const { call, tool, response, callContext } = execution;
  if (response.attempts > 0 && !isRepeatable(tool)) {
    throw new Error(
      `"${call.name}" already ran: an interceptor called next() again, but the tool is neither read-only nor idempotent.`,
    );
  }
  response.attempts += 1;
  const context = new LiveToolContext(call, signal, callContext);
  // A retry gets unchanged arguments.
  const args = response.attempts === 1 ? execution.args : await tool.bind(ownCopyOf(call.input));
  if (signal?.aborted === true) throw new CallInterruptedError(response.attempts > 1);
  const progress = (value: unknown) => context.report(value);
  try {
    return await settledValue(
      tool.invoke(execution.invocation(context, args)),
      progress,
      context.signal,
    );
  } finally {
    context.close();
  }
}
