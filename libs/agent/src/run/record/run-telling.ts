import type { AgentEvent, AgentEventBody, Message } from '../../message';
import {
  countPieces,
  ENTRY_VERSION,
  GatheredPieces,
  isSameText,
  saying,
  textIn,
  UNSTORED_NUMBERS,
  type Draft,
  type PieceBody,
  type RecordedEntry,
  type StoredPieces,
} from '../../session';
import { EventFeed } from './event-feed';

type Progress = Extract<AgentEventBody, { type: 'tool.progress' }>;

/** Left over, so that a run whose store is away can still say that it failed. */
const KEPT_NUMBERS = 50;
const MOST_UNSTORED = UNSTORED_NUMBERS - KEPT_NUMBERS;
/** From here on what was told is stored without waiting for more. */
const MANY_UNSTORED = UNSTORED_NUMBERS / 2;

/** Takes events to other processes. */
export interface EventRelay {
  publish(events: readonly AgentEvent[]): void;
  close(): void;
}

/** What a telling asks of whoever stores what it tells. */
export interface TellingOptions {
  readonly runId: string;
  readonly sessionId: string;
  /** The number of the run's last event, where it goes on after a wait; 0 by default. */
  readonly lastSeq?: number;
  /**
   * Called for what is told before it is stored, `isUrgent` where there is much of it; nothing is
   * ever stored by default.
   */
  readonly onUnstored?: (isUrgent: boolean) => void;
}

/**
 * Tells a run while this process carries it out, in the order of its numbers. What the model says,
 * and what running tools say, is told at once; everything else as soon as it is stored.
 */
export class RunTelling {
  readonly feed: EventFeed;
  /** The last number that was given. */
  private last: number;
  /** The last number that was told. */
  private told: number;
  /** The last number that is stored. */
  private stored: number;
  private pieces = new GatheredPieces();
  private firstPiece = 0;
  private progress: RecordedEntry[] = [];
  /** What has to wait until it may be told. */
  private held: (PieceBody | Progress)[] = [];
  private isWriting = false;
  private relay: EventRelay | undefined;

  constructor(private readonly options: TellingOptions) {
    const { lastSeq = 0 } = options;
    this.feed = new EventFeed(lastSeq);
    this.last = this.told = this.stored = lastSeq;
  }

  get runId(): string {
    return this.options.runId;
  }

  get sessionId(): string {
    return this.options.sessionId;
  }

  /** The last number that was told. */
  get lastSeq(): number {
    return this.told;
  }

  /** The last number that was given, to what is told or is about to be. */
  get lastGiven(): number {
    return this.last;
  }

  get hasPieces(): boolean {
    return this.pieces.hasText;
  }

  /** Whether something was told that is not stored yet. */
  get hasUnstored(): boolean {
    return this.last > this.stored;
  }

  /** Tells what goes before its entry: it is written down with the model's message, or the next entry. */
  say(body: PieceBody | Progress): void {
    const unstored = this.last - this.stored;
    const isBounded = this.options.onUnstored !== undefined;
    if (this.isWriting || (isBounded && unstored >= MOST_UNSTORED)) this.hold(body);
    else this.push(body);
    this.options.onUnstored?.(unstored >= MANY_UNSTORED);
  }

  /** Gives an entry's events their numbers; they are told once it is stored. */
  give(lastOfEntry: number): void {
    this.last = Math.max(this.last, lastOfEntry);
  }

  /** What the entry of a model's message has of its pieces. No more of them come. */
  takePieces(message: Message): {
    readonly seq?: number;
    readonly pieces?: readonly StoredPieces[];
  } {
    for (const body of this.held.splice(0)) this.gather(body);
    const { pieces, firstPiece: seq } = this;
    this.pieces = new GatheredPieces();
    return pieces.count === 0 ? {} : { seq, pieces: pieces.beside(message) };
  }

  /** What running tools have told since the last entry. */
  takeProgress(): readonly RecordedEntry[] {
    return this.progress.splice(0);
  }

  /** What the model has said so far; `undefined` where it has said nothing. */
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

  /** The draft is stored: more may be told. */
  draftStored({ entry }: Draft): void {
    this.stored = Math.max(this.stored, (entry.seq ?? 0) + countPieces(entry.pieces ?? []) - 1);
    this.goOn();
  }

  /** Nothing is told while entries are being written: theirs are the next numbers. */
  beginWriting(): void {
    this.isWriting = true;
  }

  /** @param events what the entries tell; nothing where they could not be written */
  endWriting(events?: readonly AgentEvent[]): void {
    if (events) {
      this.tell(events);
      this.told = this.stored = this.last;
    }
    this.isWriting = false;
    this.goOn();
  }

  /** Tells the end of a run that could not be stored, so that at least its readers hear of it. */
  sayUnstored(bodies: readonly AgentEventBody[]): void {
    for (const body of bodies) this.number(body);
  }

  /** Sends what was told, and what will be, to the readers of other processes too. */
  relayTo(relay: EventRelay): void {
    this.relay = relay;
    const told = this.feed.eventsFrom(0) ?? [];
    if (told.length > 0) relay.publish(told);
  }

  /** Nothing more is told. */
  end(): void {
    this.feed.end();
    this.relay?.close();
  }

  private tell(events: readonly AgentEvent[]): void {
    if (events.length === 0) return;
    this.feed.push(...events);
    this.relay?.publish(events);
  }

  private goOn(): void {
    for (const body of this.held.splice(0)) this.say(body);
  }

  /** A text that has to wait grows, so that it is few pieces in the end. */
  private hold(body: PieceBody | Progress): void {
    const last = this.held.at(-1);
    if (
      body.type !== 'tool.progress' &&
      last !== undefined &&
      last.type !== 'tool.progress' &&
      isSameText(last, body)
    ) {
      this.held[this.held.length - 1] = saying(last, textIn(last) + textIn(body));
    } else {
      this.held.push(body);
    }
  }

  private push(body: PieceBody | Progress): void {
    this.number(body);
    this.keep(body, this.last);
  }

  /** Numbers what is told together with its entry. */
  private gather(body: PieceBody | Progress): void {
    this.last += 1;
    this.keep(body, this.last);
  }

  private number(body: AgentEventBody): void {
    const { runId } = this;
    const seq = this.last + 1;
    this.last = this.told = seq;
    this.tell([{ ...body, runId, seq }]);
  }

  private keep(body: PieceBody | Progress, seq: number): void {
    if (body.type !== 'tool.progress') {
      if (this.pieces.count === 0) this.firstPiece = seq;
      this.pieces.add(body);
      return;
    }
    const { callId, data } = body;
    const entry = { type: 'call.progressed', runId: this.runId, callId, data } as const;
    this.progress.push({ v: ENTRY_VERSION, seq, ...entry });
  }
}
