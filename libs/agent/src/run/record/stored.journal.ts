import type { SharedDeliveries } from '../../invocation';
import { type AgentEvent, isUnderWay } from '../../message';
import {
  AbortableStore,
  headlineOf,
  LeaseLostError,
  type AppendOptions,
  type Draft,
  type QueuedRun,
  type SessionHeadline,
  type SessionRecord,
  type SessionState,
  type SessionStore,
  type TakenLease,
} from '../../session';
import type { FoldedSessions } from './folded-sessions';
import { keepLease } from './lease-keeper';
import { written, type LeaseListener, type HeldJournal, type NewEntry } from './run-journal';
import { deliveryOf, jsonOf } from './stored-delivery';
import { RunEmitter } from './run-emitter';
import { spendingsOf } from '../spending';

/** Milliseconds between two stored drafts of an answer. */
const DRAFT_MS = 1_000;

interface StoredJournalOptions {
  /** Milliseconds that the lease lasts without a renewal. */
  readonly leaseMs: number;
  /** The agent's name. */
  readonly agent: string;
  /** Receives the final state, for the session's next run in this process. */
  readonly folded: Pick<FoldedSessions, 'keep'>;
}

interface TakenSession {
  readonly lease: TakenLease;
  /** `performance.now()` at the request for the lease, which was granted later. */
  readonly heldSince: number;
  readonly state: SessionState;
  /** The events of the run's first entries, if they were stored with the session. */
  readonly events?: readonly AgentEvent[];
}

/** An entry that waits for the next write. */
interface Unwritten {
  readonly entry: NewEntry;
  readonly isSilent: boolean;
}

/**
 * The journal of a session in its store, written under a lease. Entries that arrive during a write
 * go into the next one.
 */
export class StoredJournal implements HeldJournal {
  readonly emitter: RunEmitter;
  state: SessionState;
  outstanding = 0;
  /** A dead process's unfinished answer. */
  readonly draft: Draft | undefined;
  private readonly abortable: AbortableStore;
  private headline: SessionHeadline | undefined;
  private readonly unwritten: Unwritten[] = [];
  private next: Promise<void> | undefined;
  private current: Promise<void> = Promise.resolve();
  private listener: LeaseListener | undefined;
  private draftTimer: NodeJS.Timeout | undefined;
  private isSavingDraft = false;
  private stopAsked: Promise<boolean> | undefined;
  private isReleasing = false;
  private isReleased = false;

  /** @param runId the writing run, if any */
  constructor(
    store: SessionStore,
    private readonly taken: TakenSession,
    private readonly options: StoredJournalOptions,
    runId = '',
  ) {
    const { state, lease, events } = taken;
    const { lastSeq = 0 } = state.run?.runId === runId ? state.run : {};
    this.abortable = new AbortableStore(store);
    this.state = state;
    this.headline = lease.record.headline;
    this.draft = lease.record.draft;
    this.emitter = new RunEmitter({
      runId,
      sessionId: lease.sessionId,
      lastSeq: events ? 0 : lastSeq,
      onUnstored: (isUrgent) => this.onUnstored(isUrgent),
    });
    if (events === undefined) return;
    this.emitter.give(lastSeq);
    this.emitter.endWriting(events);
  }

  /**
   * Renews the lease until the returned function is called. If it is lost, pending and later writes
   * reject with a `LeaseLostError`.
   */
  keep(listener: LeaseListener): () => void {
    this.listener = listener;
    return keepLease(
      () => this.renew(),
      this.taken.heldSince,
      this.options.leaseMs,
      () => {
        listener.onLost();
        this.abortable.abort(new LeaseLostError());
      },
    );
  }

  get leaseToken(): number {
    return this.taken.lease.token;
  }

  /** Merges simultaneous questions, because clients of the bus can send any number. */
  isToStop(): Promise<boolean> {
    const ask = async (): Promise<boolean> => {
      if (!this.store.requestStop) return true;
      const { signals } = await this.store.renew(this.taken.lease, this.options.leaseMs);
      return signals.stop === this.emitter.runId;
    };
    return (this.stopAsked ??= ask().finally(() => (this.stopAsked = undefined)));
  }

  /** Asks the store for readers in other processes; assumes some if the store is unavailable. */
  async isAttendedElsewhere(): Promise<boolean> {
    try {
      const { signals } = await this.store.renew(this.taken.lease, this.options.leaseMs);
      return signals.isAttended === true;
    } catch {
      return true;
    }
  }

  /** The session as it was when its lease was taken. */
  get record(): SessionRecord {
    return this.taken.lease.record;
  }

  /** Missing if the store takes no deliveries and so serves one process. */
  get deliveries(): SharedDeliveries | undefined {
    const { store } = this;
    const { sessionId } = this.taken.lease;
    if (!store.deliver || !store.delivered) return undefined;
    return {
      put: async (callId, delivery) =>
        (await store.deliver?.(sessionId, callId, delivery ? jsonOf(delivery) : null)) ?? false,
      look: async (callId) => deliveryOf(await store.delivered?.(sessionId, callId)),
    };
  }

  private get store(): SessionStore {
    return this.abortable.store;
  }

  /** Releases the lease unless it is already released or lost. */
  async release(): Promise<void> {
    clearTimeout(this.draftTimer);
    if (this.isReleased) return;
    this.isReleased = true;
    await this.store.release(this.taken.lease).catch((error: unknown) => {
      if (!(error instanceof LeaseLostError)) throw error;
    });
  }

  append(...entries: readonly NewEntry[]): Promise<void> {
    return this.enqueue(entries, false);
  }

  appendSilently(...entries: readonly NewEntry[]): Promise<void> {
    return this.enqueue(entries, true);
  }

  async checkpoint(entry: NewEntry, readFrom: number, discardBefore: boolean): Promise<void> {
    await this.append();
    this.current = this.write([{ entry, isSilent: false }], { readFrom, discardBefore });
    await this.current;
  }

  async close(
    entries: readonly NewEntry[],
    freed: () => Promise<void>,
    queued?: QueuedRun,
  ): Promise<void> {
    // Earlier failures have rejected their own writes; the store may be back.
    await this.append().catch(() => undefined);
    const last = entries.map((entry) => ({ entry, isSilent: false }));
    this.isReleasing = true;
    const options = { release: true, ...(queued && { queued }) };
    this.current = this.write(last, options, async () => {
      this.isReleased = true;
      this.options.folded.keep(this.taken.lease.record, this.state);
      await freed();
    });
    await this.current;
  }

  private enqueue(entries: readonly NewEntry[], isSilent: boolean): Promise<void> {
    if (entries.length === 0) return this.next ?? this.current;
    this.unwritten.push(...entries.map((entry) => ({ entry, isSilent })));
    return this.writeSoon();
  }

  private writeSoon(): Promise<void> {
    const write = async (): Promise<void> => {
      this.current = this.next ?? this.current;
      this.next = undefined;
      await this.write(this.unwritten.splice(0));
    };
    return (this.next ??= this.current.then(write, write));
  }

  private async write(
    unwritten: readonly Unwritten[],
    options: Pick<AppendOptions, 'readFrom' | 'discardBefore' | 'release' | 'queued'> = {},
    freed?: () => Promise<void>,
  ): Promise<void> {
    clearTimeout(this.draftTimer);
    this.draftTimer = undefined;
    const { emitter, taken, store } = this;
    emitter.beginWriting();
    const gathered = emitter.progress.take();
    const progress = gathered.map((entry) => ({ entry, isSilent: false }));
    try {
      const { entries, state, events } = written(this.state, [...progress, ...unwritten], emitter);
      const headline = headlineOf(state, this.headline);
      const spent = spendingsOf(this.options.agent, this.state, entries);
      const appending = store.append(taken.lease.sessionId, {
        lease: taken.lease,
        expectedVersion: this.state.version,
        entries,
        headline,
        ...(spent.length > 0 && { spent }),
        ...(leavesQueue(this.state, state) && { queued: null }),
        ...options,
      });
      // Readers already have these events, and the store may be back.
      appending.catch(() => emitter.progress.putBack(gathered));
      const { signals, outstanding = 0 } = await appending;
      this.state = state;
      this.outstanding = outstanding;
      this.headline = headline;
      await freed?.();
      emitter.endWriting(events);
      this.listener?.onSignals(signals);
    } catch (error) {
      emitter.endWriting();
      throw error;
    }
  }

  private async renew(draft?: Draft): Promise<boolean> {
    const { isHeld, signals } = await this.store.renew(
      this.taken.lease,
      this.options.leaseMs,
      draft,
    );
    // The last append may have released the lease: only its own result counts.
    if (!isHeld && this.isReleasing) throw new LeaseLostError();
    if (isHeld) this.listener?.onSignals(signals);
    return isHeld;
  }

  /** Stores sent events: pieces as a draft, progress as entries. */
  private onUnstored(isUrgent: boolean): void {
    if (isUrgent && this.emitter.hasPieces) void this.saveDraft();
    else if (isUrgent) this.writeSoon().catch(() => undefined);
    else if (this.emitter.hasPieces) this.saveDraftSoon();
  }

  private saveDraftSoon(): void {
    this.draftTimer ??= setTimeout(() => void this.saveDraft(), DRAFT_MS).unref();
  }

  private async saveDraft(): Promise<void> {
    clearTimeout(this.draftTimer);
    this.draftTimer = undefined;
    const draft = this.emitter.draft(this.state.version);
    if (draft === undefined || this.isSavingDraft || this.isReleased) return;
    this.isSavingDraft = true;
    const isStored = await this.renew(draft).catch(() => false);
    this.isSavingDraft = false;
    if (isStored) this.emitter.draftStored(draft);
    // Repeats for later pieces, and after a failure.
    if (this.emitter.hasUnstored && this.emitter.hasPieces && !this.isReleased)
      this.saveDraftSoon();
  }
}

/** Whether a queued run ends, or waits for its caller. */
function leavesQueue(before: SessionState, after: SessionState): boolean {
  return (
    before.run?.queued !== undefined &&
    isUnderWay(before.run.status) &&
    !isUnderWay(after.run?.status)
  );
}
