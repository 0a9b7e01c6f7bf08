import { EventEmitter, once } from 'node:events';
import { Logger } from '@nestjs/common';
import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';
import { reconnectOnReplica, settledWithin } from '../internal';
import { loadOptional } from '../tool';
import type { Script } from './scripts';

/** The timeout of every command. */
const COMMAND_MS = 500;
const CONNECT_MS = 2_000;
/** Replaces a connection after this time without a reply: a failover may leave connections open. */
const SILENT_MS = 2_000;
const LONGEST_PAUSE_MS = 1_000;

/** Without a connection, commands fail at once instead of queueing up. */
const IMPATIENT = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  // A failed resubscription of `ioredis` ends the process: its rejection is unhandled.
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_MS,
  connectTimeout: CONNECT_MS,
  socketTimeout: SILENT_MS,
  // A silent server never answers the end of a connection.
  disconnectTimeout: 0,
  reconnectOnError: reconnectOnReplica(),
  retryStrategy: (times: number) => Math.min(times * 50, LONGEST_PAUSE_MS),
} satisfies RedisOptions;

const IMPATIENT_CLUSTER = {
  lazyConnect: true,
  enableOfflineQueue: false,
  clusterRetryStrategy: IMPATIENT.retryStrategy,
  maxRedirections: 3,
} satisfies ClusterOptions;

interface ConnectionEvents {
  /** Commands are possible, for the first time or again. */
  ready: [];
  /** Commands are impossible, and messages may have been lost. */
  lost: [];
  /** A connection to one server of a cluster was lost; another one may be silent. */
  doubted: [];
  message: [channel: string, text: string];
}

/** Two connections to Redis: one for commands, one for channels. A cluster's client has both. */
export class Connection extends EventEmitter<ConnectionEvents> {
  private readonly logger = new Logger('AgentBus');
  private readonly commands: Redis | Cluster;
  private readonly channels: Redis | Cluster;
  /** Whether channels are sharded, with their own commands. */
  private readonly isSharded: boolean;
  private isClosed = false;
  private isUp = false;
  private isAway = false;
  private outages = 0;

  /** @param source an address, or a client whose settings are used */
  constructor(source: string | Redis | Cluster) {
    super();
    this.setMaxListeners(0);
    this.commands = typeof source === 'string' ? newClient(source) : impatient(source);
    this.channels = isCluster(this.commands) ? this.commands : this.commands.duplicate<undefined>();
    this.isSharded = isCluster(this.commands) && this.commands.options.shardedSubscribers === true;
    for (const client of this.clients) this.watch(client);
    const messageEvent = this.isSharded ? 'smessage' : 'message';
    this.channels.on(messageEvent, (channel: string, text: string) =>
      this.emit('message', channel, text),
    );
  }

  get isReady(): boolean {
    return this.isUp;
  }

  /** The command that sends to a channel. */
  get publishCommand(): 'PUBLISH' | 'SPUBLISH' {
    return this.isSharded ? 'SPUBLISH' : 'PUBLISH';
  }

  /**
   * Connects in the background and keeps trying, after a close too. Resolves with the first result, or
   * after 2 s.
   */
  async connect(): Promise<void> {
    this.isClosed = false;
    const connecting = this.clients.map((client) => client.connect().catch(ignore));
    await settledWithin(Promise.all(connecting), CONNECT_MS);
  }

  async run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const all = [keys.length, ...keys, ...args] as const;
    try {
      return await this.commands.evalsha(script.sha, ...all);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.commands.eval(script.lua, ...all);
    }
  }

  /** Removes keys of one slot. */
  async remove(...keys: readonly string[]): Promise<void> {
    await this.commands.del(...keys);
  }

  /** Stores nothing, but a server that is full, read-only or forbids writes refuses it. */
  async tryWrite(key: string): Promise<void> {
    await this.commands.setrange(key, 0, '');
  }

  /** @returns whether a process listens to the channel */
  async send(channel: string, text: string): Promise<boolean> {
    if (this.isSharded) return Number(await this.commands.spublish(channel, text)) > 0;
    const count = await this.commands.publish(channel, text);
    // A cluster counts only the listeners of one server.
    return count > 0 || isCluster(this.commands);
  }

  async listenTo(channels: readonly string[]): Promise<void> {
    const answer = this.isSharded
      ? Promise.all(channels.map((channel) => this.channels.ssubscribe(channel)))
      : this.channels.subscribe(...channels);
    if (await settledWithin(answer, COMMAND_MS)) return;
    void this.replaceIfSilent(answer);
    throw new Error('Command timed out');
  }

  async stopListeningTo(channel: string): Promise<void> {
    if (this.isSharded) await this.channels.sunsubscribe(channel);
    else await this.channels.unsubscribe(channel);
  }

  /** Waits until the connections are closed: one that is still closing would close the next one. */
  async close(): Promise<void> {
    this.isClosed = true;
    const open = this.clients.filter(({ status }) => status !== 'end' && status !== 'wait');
    const ended = Promise.allSettled(open.map((client) => once(client, 'end')));
    for (const client of this.clients) client.disconnect();
    this.isUp = false;
    this.emit('lost');
    await settledWithin(ended, CONNECT_MS);
  }

  private get clients(): readonly (Redis | Cluster)[] {
    return [...new Set([this.commands, this.channels])];
  }

  /** `ioredis` sets no timeouts for a cluster's connection to channels that are not sharded. */
  private async replaceIfSilent(answer: Promise<unknown>): Promise<void> {
    const { outages } = this;
    const isAnswered = await settledWithin(answer, SILENT_MS - COMMAND_MS).catch(() => true);
    if (!isAnswered && !this.isClosed && outages === this.outages) this.channels.disconnect(true);
  }

  private watch(client: Redis | Cluster): void {
    // Without a listener, an error event would end the process.
    client.on('error', (error: Error) => this.tellAway(error));
    client.on('ready', () => this.update());
    for (const event of ['close', 'end'] as const) client.on(event, () => this.update());
    if (isCluster(client)) client.on('-node', () => this.isUp && this.emit('doubted'));
  }

  private update(): void {
    const isUp = [this.commands, this.channels].every(({ status }) => status === 'ready');
    if (isUp === this.isUp || this.isClosed) return;
    this.isUp = isUp;
    if (isUp) this.tellBack();
    else this.lose();
    this.emit(isUp ? 'ready' : 'lost');
  }

  /** Replaces the other connection too: a silent failover has silenced both. */
  private lose(): void {
    this.outages += 1;
    this.tellAway();
    for (const client of this.clients) if (client.status === 'ready') client.disconnect(true);
  }

  private tellBack(): void {
    if (!this.isAway) return;
    this.isAway = false;
    this.logger.log('Redis is back.');
  }

  /** Logs each outage once, with the error's message only: its properties contain commands. */
  private tellAway(error?: Error): void {
    if (this.isAway || this.isClosed) return;
    this.isAway = true;
    const reason = error?.message ? ` (${error.message})` : '';
    this.logger.warn(
      `Redis cannot be reached${reason}. Until it is back, readers, stops and results go through the session store.`,
    );
  }
}

// Type arguments are given where clients are made: inferring them, the compiler compares all of a client's
// commands, which takes it seconds.
function newClient(url: string): Redis {
  const { Redis } = loadOptional<typeof import('ioredis')>('ioredis', 'redisBus()');
  return new Redis<'legacy'>(url, IMPATIENT);
}

function impatient(client: Redis | Cluster): Redis | Cluster {
  if (!isCluster(client)) {
    const { reconnectOnError } = client.options;
    return client.duplicate<Partial<RedisOptions>>({
      ...IMPATIENT,
      reconnectOnError: reconnectOnReplica(reconnectOnError),
    });
  }
  const { redisOptions, shardedSubscribers } = client.options;
  return client.duplicate<ClusterOptions>([], {
    ...IMPATIENT_CLUSTER,
    redisOptions: {
      ...redisOptions,
      commandTimeout: COMMAND_MS,
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      disconnectTimeout: 0,
    },
    // Versions without the option have only plain channels, which a cluster passes to all servers.
    ...(shardedSubscribers !== undefined && { shardedSubscribers: true }),
  });
}

function isCluster(client: Redis | Cluster): client is Cluster {
  return client.isCluster;
}

function ignore(): void {}
