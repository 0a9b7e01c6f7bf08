import { defined } from '../../internal';
import type { PendingAction, RunStatus, StopReason, Usage } from '../../message';
import { lastAnswer, pendingActionsOf, type RunCall, type SessionState } from '../../session';
import type { ChatResult, RunFailure, ToolCallSummary } from './chat-result';
import { RunNotFoundError } from './run-errors';
import { shownResult, type ToolOf } from './shown-calls';

interface ResultParts {
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

export function chatResultOf(parts: ResultParts): ChatResult {
  const { sessionId, runId, status, stopReason, message, pendingActions, usage, failure } = parts;
  return defined({
    sessionId,
    runId,
    status,
    message,
    stopReason,
    toolCalls: parts.calls.map(summaryOf),
    pendingActions,
    usage,
    tokensUsed: usage.totalTokens,
    timestamp: new Date().toISOString(),
    error: failure,
  });
}

/** The result of a session's last run, from the session's state. */
export function storedResult(sessionId: string, state: SessionState, toolOf: ToolOf): ChatResult {
  const { run } = state;
  if (run === undefined) throw new RunNotFoundError();
  const { runId, status, stopReason, message, calls, usage, failure } = run;
  const asked = status === 'requires_action' ? lastAnswer(state) : '';
  const result = chatResultOf({
    sessionId,
    runId,
    status,
    stopReason,
    message: message ?? asked,
    calls,
    pendingActions: pendingActionsOf(state),
    usage,
    failure,
  });
  return shownResult(result, toolOf);
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
