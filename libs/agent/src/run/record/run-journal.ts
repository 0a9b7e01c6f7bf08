import type { SharedDeliveries } from '../../invocation';
import type { AgentEvent } from '../../message';
import {
  ENTRY_VERSION,
  numbersOf,
  eventsOfEntry,
  type EntryNumbers,
  type QueuedRun,
  type LeaseSignals,
  type RecordedEntry,
  type SessionEntry,
  type SessionState,
} from '../../session';
import { advance } from './run-phase';
import type { RunEmitter } from './run-emitter';

/** Receives news about a journal's lease. */
export interface LeaseListener {
  /** The lease is lost, or about to expire. */
  onLost(): void;
  onSignals(signals: LeaseSignals): void;
}

/** A new entry, possibly with its number. */
export type NewEntry = SessionEntry & Partial<EntryNumbers>;

/** The journal of a run. Its state is computed from the written entries. */
export interface RunJournal {
  readonly state: SessionState;
  /** Grows with each lease of the session. Optional members are missing for stateless runs. */
  readonly leaseToken?: number;
  /** Asks the store whether the run must stop; `true` if the store keeps no such requests. */
  isToStop?(): Promise<boolean>;
  /** Resolves when the entries are stored, in the order of the calls. */
  append(...entries: readonly NewEntry[]): Promise<void>;
  /** As `append`, but sends no events. */
  appendSilently(...entries: readonly NewEntry[]): Promise<void>;
  /**
   * Appends an entry that lets readers skip earlier ones.
   *
   * @param readFrom the first position that is still needed
   * @param discardBefore removes the entries before it from the store
   */
  checkpoint(entry: NewEntry, readFrom: number, discardBefore: boolean): Promise<void>;
  /**
   * Appends the last entries and releases the session.
   *
   * @param freed awaited before the entries' events are sent
   * @param queued the run for a worker; a run that ends or waits leaves the queue automatically
   */
  close(
    entries: readonly NewEntry[],
    freed: () => Promise<void>,
    queued?: QueuedRun,
  ): Promise<void>;
  /** How many other runs of the owner were queued when `close` queued this one. */
  readonly outstanding?: number;
}

/** A journal with its lease. */
export interface HeldJournal extends RunJournal {
  readonly emitter: RunEmitter;
  /** Missing if results can be delivered only to this process. */
  readonly deliveries?: SharedDeliveries | undefined;
  /** Renews the lease until the returned function is called. */
  keep?(listener: LeaseListener): () => void;
  /** Whether another process has readers of the run. */
  isAttendedElsewhere?(): Promise<boolean>;
  /** Releases the lease. Idempotent. */
  release?(): Promise<void>;
}

/** Numbered entries with the resulting state and events. */
export interface Written {
  readonly entries: readonly RecordedEntry[];
  readonly state: SessionState;
  /** The events of the run's entries. */
  readonly events: readonly AgentEvent[];
}

/**
 * Numbers entries and applies them to the state.
 *
 * @param emitter the run's; entries of another run continue that run's numbers
 * @throws InvalidTransitionError for an entry that is not allowed here
 */
export function written(
  before: SessionState,
  entries: readonly { readonly entry: NewEntry; readonly isSilent: boolean }[],
  emitter: RunEmitter,
): Written {
  const { lastSeq, runId, sessionId } = emitter;
  const recorded: RecordedEntry[] = [];
  const events: AgentEvent[] = [];
  const at = new Date().toISOString();
  let state = before;
  for (const { entry, isSilent } of entries) {
    const isOwn = 'runId' in entry && entry.runId === runId;
    const count = isSilent ? 0 : numbersOf(entry);
    const seq = entry.seq ?? (count > 0 ? nextOf(state, isOwn ? emitter : undefined) : undefined);
    if (isOwn && seq !== undefined) emitter.give(seq + count - 1);
    const numbered = {
      v: ENTRY_VERSION,
      ...(TIMED.has(entry.type) && { at }),
      ...entry,
      ...(seq !== undefined && { seq }),
    };
    state = advance(state, [numbered]);
    recorded.push(numbered);
    if (!isOwn) continue;
    // Not as arguments of one call: an entry may have more events than a call takes.
    for (const event of eventsOfEntry(numbered, state, sessionId, lastSeq)) events.push(event);
  }
  return { entries: recorded, state, events };
}

/** Entries with a time for readers: messages, and where a run waits, continues or ends. */
const TIMED: ReadonlySet<SessionEntry['type']> = new Set([
  'message',
  'step.finished',
  'run.queued',
  'run.parked',
  'run.resumed',
  'run.finished',
]);

function nextOf({ run }: SessionState, emitter: RunEmitter | undefined): number {
  return (emitter?.lastGiven ?? run?.lastSeq ?? 0) + 1;
}
