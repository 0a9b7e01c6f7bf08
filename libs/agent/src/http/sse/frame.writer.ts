import type { AgentEvent } from '../../message';
import type { AgentHttpOptions } from '../options';
import type { TakenResponse } from '../wire';
import { SSE_HEADERS, SSE_HEARTBEAT } from './sse.encoder';

/** A screen shows 60 pictures a second, so a reader sees no difference. */
const PICTURE_MS = 16;
/** More does not wait: Node's own buffer of a connection holds as much. */
const MAX_HELD_CHARS = 16_384;

/**
 * Writes an event stream at its reader's pace, with heartbeats and a stall timeout. It begins with its
 * first frame, unless it is opened before: a request that is refused until then is answered with an
 * HTTP status.
 *
 * Deltas that follow each other within {@link PICTURE_MS} are written in the same moment, so that one
 * system call sends them: with a fast model these calls are most of what a stream costs. The first delta
 * is written at once, and so is every other frame.
 */
export class FrameWriter {
  private heartbeat: NodeJS.Timeout | undefined;
  private isBlocked = false;
  /** Frames of deltas that wait for those that follow. */
  private held: string[] = [];
  private heldChars = 0;
  private flushing: NodeJS.Timeout | undefined;
  private lastDeltaAt = -Infinity;

  constructor(
    private readonly response: TakenResponse,
    private readonly options: AgentHttpOptions['sse'],
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Whether the stream has begun, so that a failure can no longer set the HTTP status. */
  get isOpen(): boolean {
    return this.heartbeat !== undefined;
  }

  /** Whether written data can no longer arrive. */
  get isOver(): boolean {
    return this.response.isOver;
  }

  open(): void {
    if (this.isOpen) return;
    this.response.head(200, { ...this.headers, ...SSE_HEADERS });
    this.heartbeat = setTimeout(() => this.beat(), this.options.heartbeatMs).unref();
  }

  /**
   * Writes frames, if there are any, after those that wait; returns a promise if the reader has to
   * catch up first.
   */
  write(frames: string): Promise<void> | undefined {
    this.lastDeltaAt = -Infinity;
    return this.send(frames);
  }

  /** Writes the frames of a delta at once, or with the frames that follow. */
  writeDelta(frames: string): Promise<void> | undefined {
    if (frames === '') return undefined;
    const now = performance.now();
    const restMs = this.lastDeltaAt + PICTURE_MS - now;
    const isFull = this.heldChars + frames.length > MAX_HELD_CHARS;
    if (restMs <= 0 || isFull || this.isBlocked) {
      this.lastDeltaAt = now;
      return this.send(frames);
    }
    this.held.push(frames);
    this.heldChars += frames.length;
    this.flushing ??= setTimeout(() => this.flush(), restMs);
    return undefined;
  }

  close(): void {
    if (!this.isOpen) return;
    this.flush();
    clearTimeout(this.heartbeat);
    this.response.end();
  }

  private flush(): void {
    this.lastDeltaAt = performance.now();
    void this.send('');
  }

  /** Writes what waits, and these frames: each by itself, and Node.js sends all of a moment at once. */
  private send(frames: string): Promise<void> | undefined {
    if (frames !== '') this.held.push(frames);
    if (this.held.length === 0) return undefined;
    this.open();
    const { held } = this;
    this.held = [];
    this.heldChars = 0;
    clearTimeout(this.flushing);
    this.flushing = undefined;
    if (this.isOver) return undefined;
    this.heartbeat?.refresh();
    let hasRoom = true;
    for (const one of held) hasRoom = this.response.write(one);
    return hasRoom ? undefined : this.drained();
  }

  private beat(): void {
    if (this.isOver) return;
    if (!this.isBlocked && !this.response.write(SSE_HEARTBEAT)) void this.drained();
    this.heartbeat?.refresh();
  }

  /**
   * Resolves when the reader has caught up or is disconnected, also by this writer after `stallMs`.
   */
  private drained(): Promise<void> {
    this.isBlocked = true;
    return new Promise((resolve) => {
      const stalled = setTimeout(() => this.response.destroy(), this.options.stallMs).unref();
      const stop = this.response.onceReady(() => {
        clearTimeout(stalled);
        stop();
        this.isBlocked = false;
        resolve();
      });
    });
  }
}

/** Whether an event brings the next piece of a text. */
export function isDelta(event: AgentEvent): boolean {
  return 'delta' in event;
}
