import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Tally } from '../../internal';
import { RPC, RpcError } from '../protocol';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';

/** The open streams for notifications: bounded, and ended before the application stops. */
@Injectable()
export class OpenStreams implements BeforeApplicationShutdown {
  private readonly ends = new Set<() => void>();
  private readonly counts = new Tally<string | undefined>();
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
    if (this.isClosing) throw refusal('The server is stopping.', 503);
    if (this.counts.of(principal) >= streamsPerPrincipal || this.ends.size >= streams) {
      throw refusal('Too many open streams. Close one first.', 429);
    }
    this.ends.add(end);
    const uncount = this.counts.add(principal);
    return () => {
      this.ends.delete(end);
      uncount();
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
