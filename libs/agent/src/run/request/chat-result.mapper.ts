import type { PendingAction, RunStatus, StopReason, Usage } from '../../message';
import type { RunCall } from '../../session';
import type { ChatResult, RunFailure, ToolCallSummary } from './chat-result';

export interface ResultParts {
  readonly sessionId: string;
  readonly runId: string;
  readonly status: RunStatus;
  readonly stopReason?: StopReason;
  readonly message: string;
  readonly calls: readonly RunCall[];
  readonly pendingActions: readonly PendingAction[];
  readonly usage: Usage;
  readonly failure?: RunFailure;
}

/** What the caller is told of a run. */
export function chatResultOf(parts: ResultParts): ChatResult {
  const { sessionId, runId, status, stopReason, message, pendingActions, usage, failure } = parts;
  return {
    sessionId,
    runId,
    status,
    message,
    ...(stopReason !== undefined && { stopReason }),
    toolCalls: parts.calls.map(summaryOf),
    pendingActions,
    usage,
    tokensUsed: usage.totalTokens,
    timestamp: new Date().toISOString(),
    ...(failure && { error: failure }),
  };
}

function summaryOf({ id, name, input, output, isError, durationMs }: RunCall): ToolCallSummary {
  return {
    id,
    name,
    input,
    ...(output !== undefined && { output }),
    isError: isError ?? false,
    durationMs: durationMs ?? 0,
  };
}
