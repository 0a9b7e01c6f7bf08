import { defined } from '../../internal';
import { lastAnswer, pendingActionsOf, type RunCall, type SessionState } from '../../session';
import type { ChatResult, RunFailure, ToolCallSummary } from './chat-result';
import { RunNotFoundError } from './run-errors';
import { shownResult, type ToolOf } from './shown-calls';

type ResultParts = Omit<ChatResult, 'toolCalls' | 'tokensUsed' | 'timestamp' | 'error'> & {
  readonly calls: readonly RunCall[];
  readonly failure?: RunFailure;
};

export function chatResultOf({ calls, failure, ...parts }: ResultParts): ChatResult {
  return defined({
    ...parts,
    toolCalls: calls.map(summaryOf),
    tokensUsed: parts.usage.totalTokens,
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
  return shownResult(result, toolOf, calls);
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
