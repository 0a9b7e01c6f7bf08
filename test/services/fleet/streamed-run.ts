import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { AgentEvent } from 'nestjs-agent';
import type { SseStream } from '../../http/sse-client';

type Finished = Extract<AgentEvent, { type: 'run.finished' }>;

/** The part of a run that a reader received. */
interface Told {
  readonly events: readonly AgentEvent[];
  readonly text: string;
  /** The codes of the errors. */
  readonly errors: readonly string[];
  /** The number of steps that were discarded and streamed again. */
  readonly discards: number;
  readonly end: Finished;
}

/** A run as its readers receive it: a sequence number is the same event for every reader. */
export class StreamedRun {
  /** The last frames of streams that ended before the run. */
  readonly breaks: string[] = [];
  private readonly byNumber = new Map<number, AgentEvent>();
  private hasLeft = false;
  private told: Promise<Told> | undefined;

  constructor(
    readonly runId: string,
    readonly sessionId: string,
    readonly first: SseStream,
    private readonly open: (after: number) => Promise<SseStream>,
  ) {}

  /** The first event of a type in the first stream. */
  next<T extends AgentEvent['type']>(type: T): Promise<Extract<AgentEvent, { type: T }>> {
    return this.first.next(type);
  }

  /** Aborts the first stream; the reader reconnects. */
  leave(): void {
    this.hasLeft = true;
    this.first.drop();
  }

  /** Reads to the end, as often as the stream ends before it, and once more. */
  toItsEnd(): Promise<Told> {
    return (this.told ??= this.wholeRun());
  }

  /** Reads from the beginning, as long as the run can be read. */
  async again(): Promise<void> {
    const stream = await this.open(0);
    if (stream.status === 200) await this.followed(stream);
  }

  private async wholeRun(): Promise<Told> {
    const events = await this.followed(this.first);
    await this.again();
    const end = events.at(-1);
    if (end?.type !== 'run.finished') throw new Error(`No end: ${JSON.stringify(end)}`);
    const errors = events.flatMap((event) => (event.type === 'error' ? [event.code] : []));
    const discards = events.filter(({ type }) => type === 'step.discarded').length;
    return { events, text: textOf(events), errors, discards, end };
  }

  private async followed(stream: SseStream): Promise<readonly AgentEvent[]> {
    const events: AgentEvent[] = [];
    let reading = stream;
    for (;;) {
      await closed(reading);
      for (const event of reading.events) {
        const last = events.at(-1)?.seq ?? 0;
        if (event.seq <= last) throw new Error(`${event.seq} after ${last} in ${this.runId}`);
        this.compare(event);
        events.push(event);
      }
      if (events.at(-1)?.type === 'run.finished') return events;
      if (reading !== this.first || !this.hasLeft) this.breaks.push(reading.text.slice(-100));
      reading = await this.open(events.at(-1)?.seq ?? 0);
      if (reading.status !== 200) {
        throw new Error(`${reading.status} after ${JSON.stringify(events.at(-1))}`);
      }
    }
  }

  private compare(event: AgentEvent): void {
    const before = this.byNumber.get(event.seq) ?? event;
    if (!isDeepStrictEqual(before, event)) {
      throw new Error(`A number is two events: ${JSON.stringify([before, event])}`);
    }
    this.byNumber.set(event.seq, event);
  }
}

/** Also of a stream whose process or proxy broke it off. */
async function closed({ response }: SseStream): Promise<void> {
  if (!response.closed) await once(response, 'close').catch(() => undefined);
}

/** The text that a reader shows, without discarded steps. */
function textOf(events: readonly AgentEvent[]): string {
  const voided = events.filter((event) => event.type === 'step.discarded');
  return events
    .filter(({ seq }) => !voided.some(({ from, to }) => from <= seq && seq <= to))
    .map((event) => (event.type === 'text.delta' ? event.delta : ''))
    .join('');
}
