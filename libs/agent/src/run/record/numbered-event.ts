import type { AgentEvent, AgentEventBody } from '../../message';

/** Written out, because most events are text pieces and Node 20 copies objects slowly. */
export function numberedEvent(body: AgentEventBody, runId: string, seq: number): AgentEvent {
  const isText = body.type === 'text.delta' || body.type === 'thinking.delta';
  // Events of asked agents have additional fields.
  if (!isText || Object.hasOwn(body, 'agent')) return { ...body, runId, seq };
  return { type: body.type, delta: body.delta, runId, seq };
}
