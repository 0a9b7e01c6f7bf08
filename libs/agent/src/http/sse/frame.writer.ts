import type { AgentHttpOptions } from '../options';
import type { TakenResponse } from '../wire';
import { SSE_HEADERS, SSE_HEARTBEAT } from './sse.encoder';

/** Writes an event stream at its reader's pace, with heartbeats and a stall timeout. */
export class FrameWriter {
  private readonly heartbeat: NodeJS.Timeout;
  private isBlocked = false;

  constructor(
    private readonly response: TakenResponse,
    private readonly options: AgentHttpOptions['sse'],
    headers: Readonly<Record<string, string>> = {},
  ) {
    response.head(200, { ...headers, ...SSE_HEADERS });
    this.heartbeat = setTimeout(() => this.beat(), options.heartbeatMs).unref();
  }

  /** Whether written data can no longer arrive. */
  get isOver(): boolean {
    return this.response.isOver;
  }

  /** Writes one frame; returns a promise if the reader has to catch up before the next one. */
  write(frame: string): Promise<void> | undefined {
    if (this.isOver) return undefined;
    this.heartbeat.refresh();
    return this.response.write(frame) ? undefined : this.drained();
  }

  close(): void {
    clearTimeout(this.heartbeat);
    this.response.end();
  }

  private beat(): void {
    if (this.isOver) return;
    if (!this.isBlocked && !this.response.write(SSE_HEARTBEAT)) void this.drained();
    this.heartbeat.refresh();
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
