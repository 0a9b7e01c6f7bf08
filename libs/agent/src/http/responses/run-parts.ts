import { setImmediate as turn } from 'node:timers/promises';
import type { AgentEvent, EventOf } from '../../message';
import type { ItemCall } from './output-items';

/** One request's part of a run: the events until the run ended or began to wait. */
export interface RunPart {
  /** The number of the event before them. */
  readonly after: number;
  readonly events: readonly AgentEvent[];
  /** Missing while the run goes on. */
  readonly end?: EventOf<'run.finished'>;
}

/** @param events a run's, from the first */
export function partsOfRun(events: readonly AgentEvent[], isRunning: boolean): readonly RunPart[] {
  const parts: RunPart[] = [];
  let after = 0;
  let rest: AgentEvent[] = [];
  for (const event of events) {
    rest.push(event);
    if (event.type !== 'run.finished') continue;
    parts.push({ after, events: rest, end: event });
    after = event.seq;
    rest = [];
  }
  return rest.length > 0 || isRunning ? [...parts, { after, events: rest }] : parts;
}

/** Whether a part only ends a run that waited: no request had it. */
export function isOnlyEnd({ events, end }: RunPart): boolean {
  return end?.status === 'cancelled' && !events.some(({ type }) => type === 'step.started');
}

/** Calls of earlier responses, whose results may come in a later one. */
export interface EarlierCalls {
  /** Those that an approval was asked for. */
  readonly asked: readonly ItemCall[];
  /** Those that ask agents: they go on while these wait. */
  readonly delegating: readonly ItemCall[];
}

export const NO_EARLIER_CALLS: EarlierCalls = { asked: [], delegating: [] };

export function callsIn(parts: readonly RunPart[]): EarlierCalls {
  return {
    asked: parts.flatMap(({ end }) =>
      (end?.pendingActions ?? []).filter(({ type }) => type === 'approval'),
    ),
    delegating: parts.flatMap(({ events }) =>
      events.filter((event) => event.type === 'tool.call').filter(({ kind }) => kind === 'agent'),
    ),
  };
}

/**
 * The events so far, without waiting for others.
 *
 * @param leave ends the reading
 */
export async function eventsSoFar(
  source: AsyncIterable<AgentEvent>,
  leave: () => void,
): Promise<readonly AgentEvent[]> {
  const iterator = source[Symbol.asyncIterator]();
  const events: AgentEvent[] = [];
  try {
    for (;;) {
      const next = iterator.next();
      const step = await Promise.race([next, turn(undefined)]);
      if (step === undefined) next.catch(() => undefined);
      if (step === undefined || step.done === true) return events;
      events.push(step.value);
    }
  } finally {
    leave();
    void iterator.return?.();
  }
}
