import { getOrAdd } from '../internal';
import type { Connection } from './connection';

type Listener = (text: string) => void;

/** This process's listeners, by channel. */
export class Subscriptions {
  private readonly channels = new Map<string, Set<Listener>>();

  constructor(private readonly connection: Connection) {
    connection.on('message', (channel, text) => {
      for (const listener of this.channels.get(channel) ?? []) listener(text);
    });
    for (const event of ['ready', 'doubted'] as const) connection.on(event, () => this.renew());
  }

  /** Resolves when messages arrive. Rejects during an outage; then they arrive once Redis is back. */
  async add(channel: string, listener: Listener): Promise<void> {
    getOrAdd(this.channels, channel, () => new Set()).add(listener);
    await this.connection.listenTo([channel]);
  }

  remove(channel: string, listener: Listener): void {
    const listeners = this.channels.get(channel);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    this.channels.delete(channel);
    this.connection.stopListeningTo(channel).catch(ignore);
  }

  /** Has no effect on a connection that works; a silent one is replaced. */
  private renew(): void {
    const channels = [...this.channels.keys()];
    if (channels.length > 0) this.connection.listenTo(channels).catch(ignore);
  }
}

function ignore(): void {}
