import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { RPC, RpcError } from '../protocol';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';

/** The open streams for notifications: bounded, and ended before the application stops. */
@Injectable()
export class OpenStreams implements BeforeApplicationShutdown {
  private readonly ends = new Set<() => void>();
  private readonly counts = new Map<string, number>();
  private isClosing = false;

  constructor(@Inject(MCP_SETTINGS) private readonly settings: McpServerSettings) {}

  /**
   * Adds a stream; the returned function removes it.
   *
   * @param end ends the stream when the application stops
   * @throws RpcError with status 429, or 503 while the application stops
   */
  add(principal: string | undefined, end: () => void): () => void {
    const { streams, streamsPerPrincipal } = this.settings.limits;
    const owner = JSON.stringify(principal ?? null);
    const own = this.counts.get(owner) ?? 0;
    if (this.isClosing) throw refusal('The server is stopping.', 503);
    if (own >= streamsPerPrincipal || this.ends.size >= streams) {
      throw refusal('Too many open streams. Close one first.', 429);
    }
    this.ends.add(end);
    this.counts.set(owner, own + 1);
    return () => {
      if (!this.ends.delete(end)) return;
      const left = (this.counts.get(owner) ?? 1) - 1;
      if (left > 0) this.counts.set(owner, left);
      else this.counts.delete(owner);
    };
  }

  /** Open streams would keep the server from closing. */
  beforeApplicationShutdown(): void {
    this.isClosing = true;
    for (const end of [...this.ends]) end();
  }
}

function refusal(message: string, status: number): RpcError {
  return new RpcError(RPC.internalError, message, status);
}
