import type { AgentEvent, AgentEventBody } from '../../message';

/** Nearly all events are pieces of the run's own text: written out, since Node 20 copies slowly. */
export function numberedEvent(body: AgentEventBody, runId: string, seq: number): AgentEvent {
  const isText = body.type === 'text.delta' || body.type === 'thinking.delta';
  // An asked agent's has fields of its own.
  if (!isText || Object.hasOwn(body, 'agent')) return { ...body, runId, seq };
  return { type: body.type, delta: body.delta, runId, seq };
}
