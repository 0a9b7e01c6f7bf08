import { LRUCache } from 'lru-cache';
import { getOrAdd } from '../../../internal';
import type { McpConnection } from './connection';

const MOST = 100;
const IDLE_MS = 5 * 60_000;

interface Entry {
  readonly connection: McpConnection;
  readonly opened: Promise<void>;
}

/**
 * A connection for each principal, so that no server state or credential is shared. The least
 * recently used is closed beyond 100, and each after 5 minutes without a call.
 */
export class PrincipalConnections {
  private readonly closing = new Set<Promise<void>>();
  private readonly entries = new LRUCache<string, Entry>({
    max: MOST,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: ({ connection }, _key, reason) => {
      if (reason !== 'set') this.retire(connection.closeWhenIdle());
    },
  });

  /**
   * The principal's open connection.
   *
   * @param principal missing for callers who are not logged in; they share one connection
   * @param open creates a connection and starts its handshake
   */
  async get(principal: string | undefined, open: () => Entry): Promise<McpConnection> {
    const key = principal === undefined ? 'anonymous' : `principal:${principal}`;
    const entry = getOrAdd<string, Entry>(this.entries, key, open);
    try {
      await entry.opened;
    } catch (error) {
      this.remove(entry.connection);
      throw error;
    }
    return entry.connection;
  }

  /** Forgets a connection that was lost. */
  remove(connection: McpConnection): void {
    for (const [key, entry] of this.entries) {
      if (entry.connection === connection) this.entries.delete(key);
    }
  }

  /** Closes all connections, including those with running calls. */
  async close(): Promise<void> {
    const connections = [...this.entries.values()].map(({ connection }) => connection);
    await Promise.all(connections.map((connection) => connection.close()));
    this.entries.clear();
    await Promise.all(this.closing);
  }

  private retire(closed: Promise<void>): void {
    const done = closed.finally(() => this.closing.delete(done));
    this.closing.add(done);
  }
}
