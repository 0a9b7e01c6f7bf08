import type { AgentEvent, AgentEventBody, Message } from '../../message';
import {
  countPieces,
  ENTRY_VERSION,
  GatheredPieces,
  UNSTORED_NUMBERS,
  askedEvent,
  type Draft,
  type StoredPieces,
} from '../../session';
import { EventFeed } from './event-feed';
import { HeldEvents, isMilestone, isPiece, MergingTime, type Unstored } from './held-events';
import { ProgressEntries } from './progress-entries';
import type { RunChannel } from './run-channel';

/** Reserved for the end of a run whose store is unavailable. */
const KEPT_NUMBERS = 50;
const MOST_UNSTORED = UNSTORED_NUMBERS - KEPT_NUMBERS;
/** From this number on, unstored events are stored at once. */
const MANY_UNSTORED = UNSTORED_NUMBERS / 2;

interface EmitterOptions {
  readonly runId: string;
  readonly sessionId: string;
  /** The number of a resumed run's last event; 0 by default. */
  readonly lastSeq?: number;
  /**
   * Called for events sent before they are stored; `isUrgent` if there are many. By default nothing
   * is ever stored.
   */
  readonly onUnstored?: (isUrgent: boolean) => void;
}

/** A call that asked another agent. */
interface AskingCall {
  readonly run: {
    readonly emitter: RunEmitter;
    readonly asking: { isClosed(callId: string): boolean };
  };
  readonly callId: string;
}

/**
 * Sends the events of a run of this process, in the order of their numbers: pieces of the model's
 * answer and tools' progress at once, all others after they are stored. If a bus merges pieces, they
 * are merged before they are numbered, so that all readers receive the same events.
 */
export class RunEmitter {
  readonly feed: EventFeed;
  /** The last assigned number. */
  private last: number;
  /** The last sent number. */
  private sent: number;
  /** The last stored number. */
  private stored: number;
  private pieces = new GatheredPieces();
  private firstPiece = 0;
  /** The progress of tools and asked agents since the last entry. */
  readonly progress: ProgressEntries;
  /** Events held back until they may be sent. */
  private readonly held = new HeldEvents();
  private readonly merging = new MergingTime(() => this.goOn());
  private isWriting = false;
  private channel: RunChannel | undefined;

  constructor(private readonly options: EmitterOptions) {
    const { lastSeq = 0, runId } = options;
    this.progress = new ProgressEntries(runId);
    this.feed = new EventFeed(lastSeq);
    this.last = this.sent = this.stored = lastSeq;
  }

  get runId(): string {
    return this.options.runId;
  }

  get sessionId(): string {
    return this.options.sessionId;
  }

  /** The last sent number. */
  get lastSeq(): number {
    return this.sent;
  }

  /** The last assigned number, sent or not. */
  get lastGiven(): number {
    return this.last;
  }

  /** Milliseconds within which pieces are merged, as the channel requires. */
  get mergeMs(): number | undefined {
    return this.channel?.mergeMs;
  }

  get hasPieces(): boolean {
    return this.pieces.hasText;
  }

  /** Whether sent events are not stored yet. */
  get hasUnstored(): boolean {
    return this.last > this.stored;
  }

  /**
   * Sends an event before its entry: it is stored with the model's message, or with the next entry.
   */
  emit(body: Unstored): void {
    if (isPiece(body) && this.merging.isRunning) this.held.hold(body);
    else {
      this.goOn();
      this.pushOrHold(body);
    }
    this.options.onUnstored?.(this.unstoredCount >= MANY_UNSTORED || isMilestone(body));
  }

  /** Sends events to the readers of the run that asked this run's agent. */
  passOn(agent: string, { run: { emitter, asking }, callId }: AskingCall): void {
    const by = { agent, parentCallId: callId };
    this.relayTo({
      get mergeMs() {
        return emitter.mergeMs;
      },
      publish: (events) => {
        if (asking.isClosed(callId)) return;
        for (const each of events) {
          const event = askedEvent(each, by);
          if (event) emitter.emit({ callId, event });
        }
      },
      close: () => undefined,
    });
  }

  /** Reserves the numbers of an entry's events. */
  give(lastOfEntry: number): void {
    this.last = Math.max(this.last, lastOfEntry);
  }

  /** Returns the pieces for the entry of the model's message, and resets them. */
  takePieces(message: Message): {
    readonly seq?: number;
    readonly pieces?: readonly StoredPieces[];
  } {
    this.goOn();
    for (const body of this.held.take()) this.gather(body);
    const { pieces, firstPiece: seq } = this;
    this.pieces = new GatheredPieces();
    return pieces.count === 0 ? {} : { seq, pieces: pieces.beside(message) };
  }

  /** The model's answer so far; `undefined` if it is empty. */
  draft(after: number): Draft | undefined {
    const { pieces, firstPiece: seq, runId } = this;
    if (!pieces.hasText) return undefined;
    const message = pieces.message();
    const at = new Date().toISOString();
    return {
      after,
      entry: {
        v: ENTRY_VERSION,
        seq,
        type: 'message',
        runId,
        at,
        message,
        pieces: pieces.beside(message),
      },
    };
  }

  /** Frees the numbers of a stored draft, and sends held events. */
  draftStored({ entry }: Draft): void {
    this.stored = Math.max(this.stored, (entry.seq ?? 0) + countPieces(entry.pieces ?? []) - 1);
    this.goOn();
  }

  /** Holds events back during a write: its entries have the next numbers. */
  beginWriting(): void {
    this.goOn();
    this.isWriting = true;
  }

  /** @param events the events of the entries; missing if the write failed */
  endWriting(events?: readonly AgentEvent[]): void {
    if (events) {
      this.tell(events);
      this.sent = this.stored = this.last;
    }
    this.isWriting = false;
    this.goOn();
  }

  /** Sends the end of a run that could not be stored. */
  emitUnstored(bodies: readonly AgentEventBody[]): void {
    this.goOn();
    for (const body of bodies) this.number(body);
  }

  /** Sends past and future events to readers in other processes too. */
  relayTo(channel: RunChannel): void {
    this.channel = channel;
    const events = this.feed.eventsFrom(0) ?? [];
    if (events.length > 0) channel.publish(events);
  }

  /** Ends the feed and the channel. */
  end(): void {
    this.merging.end();
    this.feed.end();
    this.channel?.close();
  }

  private get unstoredCount(): number {
    return this.last - this.stored;
  }

  private tell(events: readonly AgentEvent[]): void {
    if (events.length === 0) return;
    this.feed.push(events);
    this.channel?.publish(events);
  }

  /** Sends held events that may be sent now. */
  private goOn(): void {
    if (this.isWriting || this.held.areEmpty) return;
    for (const body of this.held.take()) this.pushOrHold(body);
  }

  private pushOrHold(body: Unstored): void {
    const isBounded = this.options.onUnstored !== undefined;
    if (this.isWriting || (isBounded && this.unstoredCount >= MOST_UNSTORED)) this.held.hold(body);
    else this.push(body);
  }

  private push(body: Unstored): void {
    this.number('event' in body ? body.event : body);
    this.keep(body);
    if (isPiece(body)) this.merging.start(this.mergeMs);
  }

  /** Numbers an event that is sent with its entry. */
  private gather(body: Unstored): void {
    this.last += 1;
    this.keep(body);
  }

  private number(body: AgentEventBody): void {
    const { runId } = this;
    const seq = this.last + 1;
    this.last = this.sent = seq;
    this.tell([numberedEvent(body, runId, seq)]);
  }

  /** Keeps the event that has the last number, until it is stored. */
  private keep(body: Unstored): void {
    if (!isPiece(body)) return this.progress.add(body, this.last);
    if (this.pieces.count === 0) this.firstPiece = this.last;
    this.pieces.add(body);
  }
}

/** Written out, because most events are text pieces and Node 20 copies objects slowly. */
function numberedEvent(body: AgentEventBody, runId: string, seq: number): AgentEvent {
  const isText = body.type === 'text.delta' || body.type === 'thinking.delta';
  // Events of asked agents have additional fields.
  if (!isText || Object.hasOwn(body, 'agent')) return { ...body, runId, seq };
  return { type: body.type, delta: body.delta, runId, seq };
}
