import type { AgentEvent } from '../../message';

/**
 * Whether a protocol that knows only one agent shows an event. Calls of further agents that the
 * run's agent asks are shown whole, as calls of the run: an approval must be answerable in every
 * protocol. Their texts, thoughts, steps, sources and notices are not part of the answer.
 *
 * @param event an event of a run
 * @example
 * import { isShownFlat, type RunEncoder } from 'nestjs-agent/endpoints';
 *
 * const lines: RunEncoder = {
 *   encode: (event) => (isShownFlat(event) ? `data: ${JSON.stringify(event)}\n\n` : ''),
 * };
 */
export function isShownFlat(event: AgentEvent): boolean {
  if (event.agent === undefined) return true;
  switch (event.type) {
    case 'tool.call':
    case 'tool.progress':
    case 'tool.result':
    case 'approval.required':
    case 'frontend.call':
      return true;
    default:
      return false;
  }
}
