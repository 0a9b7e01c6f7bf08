import { randomUUID } from 'node:crypto';
import { batchesOf, type AgentEvent } from '../../message';
import type { OpenedRun, RunBus, RunChannel, RunSignal } from '../../run';
import { AgentError } from '../../tool';
import { becomes, PATIENCE_MS, within } from '../patience';
import type { RunBusContract } from '../run-bus-contract';

/** Readers may learn later than signals that a run is open; a generous limit for that. */
const OPENED_WITHIN_MS = 5_000;

/** Tells whether a run is open for signals. */
const FIRST = { type: 'delivered', callId: 'first' } as const;

/** A run that the suite opened, and the signals to it. */
export interface RunUnderTest {
  readonly runId: string;
  readonly channel: RunChannel;
  readonly signals: readonly RunSignal[];
}

/** The bus that a suite examines, and the bus of a second process. */
export class BusUnderTest {
  bus!: RunBus;
  peer!: RunBus;
  private readonly channels: RunChannel[] = [];

  constructor(private readonly contract: RunBusContract) {}

  async open(): Promise<void> {
    this.bus = await this.contract.create();
    await this.bus.connect?.();
    this.peer = (await this.contract.createPeer?.()) ?? this.bus;
    if (this.peer !== this.bus) await this.peer.connect?.();
  }

  async close(): Promise<void> {
    if (this.peer !== this.bus) await this.peer.close?.();
    await this.bus.close?.();
    await this.contract.destroy?.();
  }

  closeRuns(): void {
    for (const channel of this.channels.splice(0)) channel.close();
  }

  /** Opens a run in the first process, for readers and signals. */
  async run(more: Partial<OpenedRun> = {}, bus = this.bus): Promise<RunUnderTest> {
    const runId = more.runId ?? randomUUID();
    const signals: RunSignal[] = [];
    let isReceived = false;
    const onSignal = (signal: RunSignal): void => {
      if (signal.type === 'delivered' && signal.callId === FIRST.callId) isReceived = true;
      else signals.push(signal);
    };
    const channel = bus.open({ lastSeq: 0, leaseToken: 1, ...more, runId, onSignal });
    this.channels.push(channel);
    // The process that had the run before may still take a signal in place of this one.
    await becomes(async () => {
      const answer = await this.answer(runId, FIRST);
      return answer === true ? isReceived : answer;
    }, true);
    return { runId, channel, signals };
  }

  /** @returns the bus's answer, or that it is unavailable; a late answer on a busy machine is requested again */
  private async answer(runId: string, signal: RunSignal): Promise<boolean | string> {
    return this.peer.signal(runId, signal).catch((error: unknown) => {
      if (error instanceof AgentError && error.code === 'bus_unavailable') return error.message;
      throw error;
    });
  }

  /**
   * The signals that a reader in the second process gets until the end.
   *
   * @param waitMs milliseconds to wait until the run is open; 0 if no events are expected
   */
  async heard(runId: string, after = 0, waitMs = OPENED_WITHIN_MS): Promise<readonly AgentEvent[]> {
    return this.rest(this.follow(runId, after, waitMs));
  }

  /** @param waitMs milliseconds to wait until the run is open */
  follow(runId: string, after = 0, waitMs = OPENED_WITHIN_MS): Reader {
    const events = this.peer.follow(runId, after, { waitMs });
    return events ? batchesOf(events)[Symbol.asyncIterator]() : NOTHING;
  }

  async rest(reader: Reader): Promise<readonly AgentEvent[]> {
    const events: AgentEvent[] = [];
    for (;;) {
      const { done, value } = await next(reader);
      if (done === true) return events;
      events.push(...value);
    }
  }

  /** At least this many events. */
  async some(reader: Reader, count: number): Promise<readonly AgentEvent[]> {
    const events: AgentEvent[] = [];
    while (events.length < count) {
      const { done, value } = await next(reader);
      if (done === true) throw new Error(`The reader ended after ${events.length} events.`);
      events.push(...value);
    }
    return events;
  }
}

/** A reader, by batches. */
export type Reader = AsyncIterator<readonly AgentEvent[], unknown>;

const NOTHING: Reader = { next: () => Promise.resolve({ done: true, value: undefined }) };

/** Events of a run, with consecutive numbers. */
export function words(runId: string, count: number, after = 0): readonly AgentEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = after + index + 1;
    return { type: 'text.delta', delta: `word ${seq} `, runId, seq };
  });
}

export function seqsOf(events: readonly AgentEvent[]): readonly number[] {
  return events.map(({ seq }) => seq);
}

function next(reader: Reader): ReturnType<Reader['next']> {
  return within(reader.next(), PATIENCE_MS, `No event and no end within ${PATIENCE_MS} ms.`);
}
