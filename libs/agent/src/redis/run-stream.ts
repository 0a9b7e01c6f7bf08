import type { AgentEvent } from '../message';
import type { Connection } from './connection';
import { namesOf, type RunNames } from './names';
import { APPEND, READ } from './scripts';
import { eventIn, MAX_EVENT_BYTES, textOfEvent } from './event-text';
import { MAX_WAKE_BYTES } from './wake-text';

/** The maximum space of one run in Redis. */
const MAX_STREAM_BYTES = 8 * 1_024 * 1_024;
const MAX_READ_EVENTS = 500;
const MAX_READ_BYTES = 4 * MAX_EVENT_BYTES;

/** Events to append. */
export interface Appending {
  readonly leaseToken: number;
  /** The number of the last event before these. */
  readonly before: number;
  readonly events: readonly AgentEvent[];
  /** When the first of them was published, by this process's clock; missing without any. */
  readonly publishedAt: number | undefined;
  readonly isOver: boolean;
  /** Milliseconds that Redis keeps the run from now on. */
  readonly keepMs: number;
}

/** The stored events of a run above a number. */
export interface Reading {
  readonly events: readonly AgentEvent[];
  /**
   * `more`: there may be more at once; `closed`: no process has the run open; `end`: the bus lacks the
   * events after these.
   */
  readonly next: 'more' | 'wait' | 'closed' | 'end';
}

/** A run's events in Redis. */
export class RunStream {
  readonly names: RunNames;

  constructor(
    private readonly connection: Connection,
    prefix: string,
    readonly runId: string,
  ) {
    this.names = namesOf(prefix, runId);
  }

  /** @returns `false` if another process opened the run with a newer lease */
  async append(appending: Appending): Promise<boolean> {
    const { leaseToken, before, events, publishedAt, isOver, keepMs } = appending;
    const { connection, names } = this;
    const last = await connection.run(
      APPEND,
      [names.events, names.state],
      [
        ...[leaseToken, before, isOver ? 1 : 0, keepMs].map(String),
        ...[names.wake, connection.publishCommand, String(publishedAt ?? '')],
        ...[MAX_STREAM_BYTES, MAX_WAKE_BYTES].map(String),
        ...events.flatMap((event) => [String(event.seq), textOfEvent(event) ?? '']),
      ],
    );
    return last !== -1;
  }

  /** Removes keys that are not a stream of this bus. */
  clear(): Promise<void> {
    return this.connection.remove(this.names.events, this.names.state);
  }

  /** Ignores unexpected events: the store has them. */
  async read(after: number): Promise<Reading> {
    const { connection, names } = this;
    const answer = await connection.run(
      READ,
      [names.events, names.state],
      // Redis has no infinite number.
      [Math.min(after, Number.MAX_SAFE_INTEGER), MAX_READ_EVENTS, MAX_READ_BYTES].map(String),
    );
    const [last, isOver, found] = answer as readonly [unknown?, unknown?, unknown?];
    if (!Array.isArray(found)) return { events: [], next: 'closed' };
    const events: AgentEvent[] = [];
    for (let place = 0; place < found.length; place += 2) {
      const seq = after + events.length + 1;
      const [id, text] = [found[place], found[place + 1]] as unknown[];
      const isNext = id === `${seq}-0` && typeof text === 'string';
      const event = isNext ? eventIn(text, this.runId, seq) : undefined;
      if (event === undefined) return { events, next: 'end' };
      events.push(event);
    }
    const isWhole = Number(last) <= after + events.length;
    if (!isWhole) return { events, next: events.length > 0 ? 'more' : 'end' };
    return { events, next: isOver === '1' ? 'closed' : 'wait' };
  }
}
