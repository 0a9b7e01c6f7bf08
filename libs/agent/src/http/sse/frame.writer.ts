import type { AgentHttpOptions } from '../options';
import type { TakenResponse } from '../wire';
import { SSE_HEADERS, SSE_HEARTBEAT } from './sse.encoder';

/**
 * Writes an event stream at its reader's pace, with heartbeats and a stall timeout. It begins with its
 * first frame, unless it is opened before: a request that is refused until then is answered with an
 * HTTP status.
 */
export class FrameWriter {
  private heartbeat: NodeJS.Timeout | undefined;
  private opening: NodeJS.Timeout | undefined;
  private isWaiting = false;

  /** @param first makes the frames that begin the stream; none by default */
  constructor(
    private readonly response: TakenResponse,
    private readonly options: AgentHttpOptions['sse'],
    private readonly headers: Readonly<Record<string, string>> = {},
    private readonly first: () => string = () => '',
  ) {}

  /** Whether the stream has begun, so that a failure can no longer set the HTTP status. */
  get isOpen(): boolean {
    return this.heartbeat !== undefined;
  }

  /** Whether written data can no longer arrive. */
  get isOver(): boolean {
    return this.response.isOver;
  }

  /** Whether the reader has to catch up first. */
  get isBlocked(): boolean {
    return this.isWaiting;
  }

  open(): void {
    if (this.isOpen) return;
    clearTimeout(this.opening);
    this.response.head(200, { ...this.headers, ...SSE_HEADERS });
    this.heartbeat = setTimeout(() => this.beat(), this.options.heartbeatMs).unref();
    void this.write(this.first());
  }

  /** Opens the stream after some time, unless it is open or closed by then. */
  openAfter(ms: number): void {
    this.opening = setTimeout(() => this.open(), ms).unref();
  }

  /** Writes frames, if there are any; returns a promise if the reader has to catch up first. */
  write(frames: string): Promise<void> | undefined {
    if (frames === '') return undefined;
    this.open();
    if (this.isOver) return undefined;
    this.heartbeat?.refresh();
    return this.response.write(frames) ? undefined : this.drained();
  }

  close(): void {
    clearTimeout(this.opening);
    if (!this.isOpen) return;
    clearTimeout(this.heartbeat);
    this.response.end();
  }

  private beat(): void {
    if (this.isOver) return;
    if (!this.isWaiting && !this.response.write(SSE_HEARTBEAT)) void this.drained();
    this.heartbeat?.refresh();
  }

  /**
   * Resolves when the reader has caught up or is disconnected, also by this writer after `stallMs`.
   * Resolves in a new turn of the event loop: as long as the kernel takes the data, Node reports it
   * within the same turn, and a long stream would be sent in one turn.
   */
  private drained(): Promise<void> {
    this.isWaiting = true;
    return new Promise((resolve) => {
      const stalled = setTimeout(() => this.response.destroy(), this.options.stallMs).unref();
      this.response.onceReady(() => {
        clearTimeout(stalled);
        this.isWaiting = false;
        setImmediate(resolve);
      });
    });
  }
}
