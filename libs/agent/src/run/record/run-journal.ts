import type { SharedDeliveries } from '../../invocation';
import type { AgentEvent } from '../../message';
import {
  ENTRY_VERSION,
  numbersOf,
  tell,
  type EntryNumbers,
  type LeaseSignals,
  type RecordedEntry,
  type SessionEntry,
  type SessionState,
} from '../../session';
import { advance } from './run-phase';
import type { RunTelling } from './run-telling';

/** What the keeper of a journal's lease hears. */
export interface LeaseListener {
  /** The lease is another's, or soon may be. */
  onLost(): void;
  onSignals(signals: LeaseSignals): void;
}

/** An entry to be written, which may know its number. */
export type NewEntry = SessionEntry & Partial<EntryNumbers>;

/** What a run writes to. The state it shows always follows from what was written. */
export interface RunJournal {
  readonly state: SessionState;
  /** Resolves when the entries are stored; entries stand in the order of the calls. */
  append(...entries: readonly NewEntry[]): Promise<void>;
  /** As `append`, but the run's readers are told nothing. */
  appendSilently(...entries: readonly NewEntry[]): Promise<void>;
  /**
   * Appends an entry by which reading may begin later.
   *
   * @param readFrom the position from which on everything is needed
   * @param discardBefore removes what stands before that from the store
   */
  checkpoint(entry: NewEntry, readFrom: number, discardBefore: boolean): Promise<void>;
  /**
   * Appends the last entries and gives the session back.
   *
   * @param freed waited for before the readers hear of the entries
   */
  close(entries: readonly NewEntry[], freed: () => Promise<void>): Promise<void>;
}

/** A journal together with the right to write it. */
export interface HeldJournal extends RunJournal {
  readonly telling: RunTelling;
  /** Missing where browsers' results reach this process alone. */
  readonly deliveries?: SharedDeliveries | undefined;
  /** Keeps the right to write until what it returns is called. */
  keep(listener: LeaseListener): () => void;
  /** Whether the run is read in another process. */
  isAttendedElsewhere(): Promise<boolean>;
  /** Gives the right to write back, unless that is done. */
  release(): Promise<void>;
}

/** Entries as they are to be written, and what follows from them. */
export interface Written {
  readonly entries: readonly RecordedEntry[];
  readonly state: SessionState;
  /** What the run's readers are told of them. */
  readonly events: readonly AgentEvent[];
}

/**
 * Numbers entries and folds them.
 *
 * @param telling the run's; entries of another run count on from that one's last number
 * @throws InvalidTransitionError where they may not follow
 */
export function written(
  before: SessionState,
  entries: readonly { readonly entry: NewEntry; readonly isSilent: boolean }[],
  telling: RunTelling,
): Written {
  const { lastSeq, runId, sessionId } = telling;
  const recorded: RecordedEntry[] = [];
  const events: AgentEvent[] = [];
  const at = new Date().toISOString();
  let state = before;
  for (const { entry, isSilent } of entries) {
    const isOwn = 'runId' in entry && entry.runId === runId;
    const count = isSilent ? 0 : numbersOf(entry);
    const seq = entry.seq ?? (count > 0 ? nextOf(state, isOwn ? telling : undefined) : undefined);
    if (isOwn && seq !== undefined) telling.give(seq + count - 1);
    const numbered = {
      v: ENTRY_VERSION,
      ...(isSaid(entry) && { at }),
      ...entry,
      ...(seq !== undefined && { seq }),
    };
    state = advance(state, [numbered]);
    recorded.push(numbered);
    if (isOwn) events.push(...tell(numbered, state, sessionId, lastSeq));
  }
  return { entries: recorded, state, events };
}

/** Whether the transcript has it. */
function isSaid({ type }: SessionEntry): boolean {
  return type === 'message' || type === 'step.finished';
}

function nextOf({ run }: SessionState, telling: RunTelling | undefined): number {
  return (telling?.lastGiven ?? run?.lastSeq ?? 0) + 1;
}
