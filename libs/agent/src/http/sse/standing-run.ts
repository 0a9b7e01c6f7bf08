import type { AgentEvent } from '../../message';
import type { ChatResult, RunHandle } from '../../run';

/**
 * A run that still waits for other answers, as a stream: the `run.finished` it ended its last
 * request with, with what is pending now.
 */
export async function standingRun(
  result: ChatResult,
  past: AsyncIterable<AgentEvent>,
): Promise<RunHandle> {
  const seq = await lastSeq(past);
  const { runId, sessionId, status, message, usage, pendingActions } = result;
  const standing: AgentEvent = {
    type: 'run.finished',
    runId,
    seq,
    status,
    stopReason: result.stopReason ?? 'requires_action',
    message,
    usage,
    pendingActions,
  };
  return {
    runId,
    sessionId,
    finished: Promise.resolve(result),
    cancel: () => undefined,
    events: () => only(standing),
  };
}

async function lastSeq(past: AsyncIterable<AgentEvent>): Promise<number> {
  for await (const event of past) if (event.type === 'run.finished') return event.seq;
  return 0;
}

function only<T>(item: T): AsyncIterable<T> {
  return (async function* () {
    yield await Promise.resolve(item);
  })();
}
