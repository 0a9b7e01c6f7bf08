import type { CallContext, Tool, ToolCall, ToolResponse } from '../../tool';
import { CallNotPendingError, LiveToolContext } from '../call';

/** The context for a tool's `visible`. Its call has no arguments and cannot be executed. */
export function listingContext(tool: Tool, context: CallContext): LiveToolContext {
  const { name } = tool.definition;
  const response: Omit<ToolResponse, 'call'> = {
    status: 'not_found',
    durationMs: 0,
    attempts: 0,
    logs: [],
    execute: () => Promise.reject(new CallNotPendingError(name, 'only being listed')),
  };
  const call: Omit<ToolCall, 'response'> = { id: '', name, input: {}, tool };
  const listed: ToolCall = {
    ...call,
    response: {
      ...response,
      get call() {
        return listed;
      },
    },
  };
  return new LiveToolContext(listed, context.signal, context);
}
