import type { AgentEvent } from '../../message';

/**
 * The events of a run without the questions that are answered already, and without the ends that
 * it went on from: a page that reads them again must not ask again.
 */
export async function* withoutAnswered(
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent, void, undefined> {
  let held: AgentEvent[] = [];
  for await (const event of events) {
    if (isWaiting(event)) {
      held.push(event);
      continue;
    }
    const wentOn = held.at(-1)?.type === 'run.finished';
    if (!wentOn) yield* held;
    held = [];
    yield event;
  }
  yield* held;
}

function isWaiting(event: AgentEvent): boolean {
  if (event.type === 'run.finished') return event.status === 'requires_action';
  return event.type === 'approval.required' || event.type === 'frontend.call';
}
