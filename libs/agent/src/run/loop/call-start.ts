import { LONGEST_TIMER_MS } from '../../internal';
import { isRepeatable, type ToolCall } from '../../tool';
import type { RunContext } from '../context';

/** Stores the start of a call that must not be repeated, before it runs. */
export async function startCall(run: RunContext, { id: callId, tool }: ToolCall): Promise<void> {
  const { runId, journal, deliveries } = run;
  const isOnce = tool === undefined || !isRepeatable(tool);
  if (tool?.answer?.from === 'frontend') {
    deliveries.announce(callId);
    // The browser received the call before this process took over the run.
    if (journal.state.openCalls.some(({ call, started }) => started && call.id === callId)) return;
    const expiresAt = expiryAfter(tool.answer.timeoutMs ?? 0);
    await journal.append({ type: 'call.started', runId, callId, expiresAt });
  } else if (isOnce) {
    await journal.append({ type: 'call.started', runId, callId });
  }
}

/** The deadline that ends after so many milliseconds; ISO 8601. */
export function expiryAfter(timeoutMs: number): string {
  return new Date(Date.now() + Math.min(timeoutMs, LONGEST_TIMER_MS)).toISOString();
}
