import type { AgentEvent, AgentEventBody } from '../message';
import { applyEntry, EMPTY_SESSION, type SessionEntry } from '../session';
import { eventsOfEntry, type RunNames } from './entry-events';

/** A run that no process holds, or not this one. */
export interface StoredRun extends RunNames {
  readonly runId: string;
  /** Its session's journal. */
  readonly entries: readonly SessionEntry[];
}

/** What was told from a run's start, or its resumption, to where it waited or ended. */
interface Stretch {
  readonly bodies: readonly AgentEventBody[];
  /** The number of the last one; unknown where the process died. */
  readonly lastSeq?: number;
}

/**
 * The events of a run after the one numbered `after`, as its journal tells them: whole messages
 * instead of fragments, in the order they were stored, up to where the run last waited or ended.
 *
 * How many events a message or a call made is not stored, only the number of the last one before a
 * wait and at the end. So they are numbered backwards from there: whatever a reader has heard, the
 * end still lies before it. A text of which it may have heard a part is left out, since
 * `run.finished` holds it whole.
 */
export function storedEvents(run: StoredRun, after: number): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  let told = 0;
  for (const { bodies, lastSeq } of stretchesOf(run)) {
    // Where the process died, a reader may have heard more than the journal can tell of.
    const endings = lastSeq === undefined ? bodies.filter(isEnding).length : 0;
    const least = told + bodies.length;
    const last = Math.max(least, lastSeq ?? after + endings);
    for (const [index, body] of bodies.entries()) {
      const earliest = told + index + 1;
      const latest = last - least + earliest;
      const seq = lastSeq === undefined && !isEnding(body) ? earliest : latest;
      const isHeard = (body.type === 'text.delta' ? earliest : seq) <= after;
      if (!isHeard) events.push({ ...body, runId: run.runId, seq });
    }
    told = last;
  }
  return events;
}

function isEnding({ type }: AgentEventBody): boolean {
  return type === 'error' || type === 'run.finished';
}

function* stretchesOf(run: StoredRun): Generator<Stretch> {
  let bodies: AgentEventBody[] = [];
  let state = EMPTY_SESSION;
  for (const entry of run.entries) {
    state = applyEntry(state, entry);
    if (!('runId' in entry) || entry.runId !== run.runId) continue;
    bodies.push(...eventsOfEntry(entry, state, run));
    if (entry.type !== 'run.parked' && entry.type !== 'run.finished') continue;
    const hasDied = entry.type === 'run.finished' && entry.status === 'failed' && !entry.failure;
    yield { bodies, ...(!hasDied && { lastSeq: entry.seq }) };
    bodies = [];
  }
}
