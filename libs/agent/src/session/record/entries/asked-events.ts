import type { AgentEvent, AgentEventBody } from '../../../message';
import { countLengths, decodeLengths, encodeLength } from './lengths';

// Distributes over the events.
type WithoutNumbers<Event> = Event extends unknown ? Omit<Event, 'runId' | 'seq'> : never;

/** An event of an asked agent, for the readers of the asking run. */
export type AskedEvent = WithoutNumbers<
  Exclude<AgentEvent, { readonly type: 'run.started' | 'run.finished' | 'error' }>
>;

/** Its stored form: consecutive pieces of one text are merged, with the length of each. */
export type StoredAskedEvent = AskedEvent & {
  /** See `lengths.ts`; missing unless the event consists of pieces. */
  readonly lengths?: string;
};

/** The event for the readers of the asking run, from an event of the asked agent's run. */
export function askedEvent(
  { seq: _seq, runId: _runId, ...event }: AgentEvent,
  by: { readonly agent: string; readonly parentCallId: string },
): AskedEvent | undefined {
  switch (event.type) {
    case 'run.started':
    case 'run.finished':
    case 'error':
      return undefined;
    case 'text.delta':
      return { type: 'agent.text.delta', delta: event.delta, ...by };
    default:
      // Events of agents that the asked agent asked already name their agent.
      return event.agent === undefined ? { ...event, ...by } : event;
  }
}

/** Appends an event to stored ones. */
export function withAskedEvent(
  events: readonly StoredAskedEvent[],
  event: AskedEvent,
): readonly StoredAskedEvent[] {
  const last = events.at(-1);
  if (last === undefined || !('delta' in last) || !('delta' in event) || !isSameText(last, event)) {
    return [...events, event];
  }
  const lengths = last.lengths ?? encodeLength(last.delta.length);
  return events.with(-1, {
    ...last,
    delta: last.delta + event.delta,
    lengths: lengths + encodeLength(event.delta.length),
  });
}

export function countAsked(events: readonly StoredAskedEvent[]): number {
  return events.reduce((sum, { lengths }) => sum + (lengths ? countLengths(lengths) : 1), 0);
}

/** Restores the events as they were sent. */
export function askedEvents(events: readonly StoredAskedEvent[]): readonly AgentEventBody[] {
  return events.flatMap(({ lengths, ...event }): readonly AgentEventBody[] => {
    if (lengths === undefined || !('delta' in event)) return [event];
    let place = 0;
    return decodeLengths(lengths).map((length) => {
      const delta = event.delta.slice(place, place + length);
      place += length;
      return { ...event, delta };
    });
  });
}

function isSameText(one: AskedEvent, other: AskedEvent): boolean {
  return (
    one.type === other.type &&
    one.parentCallId === other.parentCallId &&
    ('callId' in one ? one.callId : '') === ('callId' in other ? other.callId : '')
  );
}
