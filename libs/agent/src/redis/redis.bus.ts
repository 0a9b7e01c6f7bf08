import { Logger } from '@nestjs/common';
import { outsideRequests } from '../internal';
import { Batched, type AgentEvent } from '../message';
import type { FollowOptions, OpenedRun, RunBus, RunChannel, RunSignal } from '../run';
import { Connection } from './connection';
import { FollowedRun } from './followed-run';
import { namesOf } from './names';
import { settingsOf, type RedisBusOptions, type RedisSettings } from './redis-options';
import { RunStream } from './run-stream';
import { SentRun } from './sent-run';
import { Subscriptions } from './subscriptions';
import { signalIn } from './signal-text';
import { AgentError } from '../tool';

/** The first word of Redis's reply when it refuses a command, such as `NOAUTH`. */
const REFUSAL = /^([A-Z]{3,20}) /;

/** Milliseconds between two heartbeats of this process's runs. */
const BEAT_MS = 3_000;
/** Limits the log: a full Redis refuses the events of all runs. */
const REFUSAL_LOGGED_EVERY_MS = 60_000;

/**
 * A bus on Redis: clients read, stop and answer runs through any process at once. Without Redis, or
 * during an outage, this takes up to a second, through the session store. Redis has no authority: the
 * store checks every claim, stop and result.
 *
 * @experimental
 * @param options the address of Redis; all others have a default
 * @throws InvalidOptionsError for unknown options and invalid values
 * @throws MissingPackageError if `ioredis` is not installed
 * @example
 * import { redisBus } from 'nestjs-agent/redis';
 *
 * AgentModule.forRoot({ bus: redisBus({ url: 'redis://127.0.0.1:6379' }) });
 */
export function redisBus(options: RedisBusOptions): RunBus {
  return new RedisBus(settingsOf(options));
}

class RedisBus implements RunBus {
  private readonly logger = new Logger('AgentBus');
  private readonly connection: Connection;
  private readonly subscriptions: Subscriptions;
  private readonly sent = new Set<SentRun>();
  private beat: NodeJS.Timeout | undefined;
  private refusalLoggedAt = -Infinity;

  constructor(private readonly settings: RedisSettings) {
    this.connection = new Connection(settings.source);
    this.subscriptions = new Subscriptions(this.connection);
    this.connection.on('ready', () => this.sendAll());
  }

  async connect(): Promise<void> {
    this.beat ??= setInterval(() => this.sendAll(), BEAT_MS).unref();
    await this.connection.connect();
  }

  async close(): Promise<void> {
    clearInterval(this.beat);
    this.beat = undefined;
    await Promise.all([...this.sent].map(({ settled }) => settled));
    await this.connection.close();
  }

  open(run: OpenedRun): RunChannel {
    // Connections and timers of a bus belong to no request.
    return outsideRequests(() => this.opened(run));
  }

  follow(
    runId: string,
    after: number,
    { waitMs = 0, onLag }: FollowOptions = {},
  ): AsyncIterable<AgentEvent> | undefined {
    const { connection, subscriptions } = this;
    if (!connection.isReady) return undefined;
    const stream = this.streamOf(runId);
    return new Batched(
      new FollowedRun({ stream, subscriptions, connection, after, waitMs, onLag }),
    );
  }

  async signal(runId: string, signal: RunSignal): Promise<boolean> {
    const { signals } = namesOf(this.settings.prefix, runId);
    try {
      return await this.connection.send(signals, JSON.stringify(signal));
    } catch (error) {
      throw asBusError(error);
    }
  }

  async check(): Promise<void> {
    const { events, signals } = namesOf(this.settings.prefix, 'health-check');
    try {
      await Promise.all([this.connection.send(signals, ''), this.connection.tryWrite(events)]);
    } catch (error) {
      throw asBusError(error);
    }
  }

  private opened(run: OpenedRun): RunChannel {
    const stream = this.streamOf(run.runId);
    const { signals } = stream.names;
    const onSignal = (text: string): void => {
      const signal = signalIn(text);
      if (signal) run.onSignal(signal);
    };
    const sent = new SentRun(run, stream, {
      ...this.settings,
      isReady: () => this.connection.isReady,
      onOver: () => {
        this.sent.delete(sent);
        this.subscriptions.remove(signals, onSignal);
      },
      onRefused: ({ message }) => this.tellRefused(run.runId, message),
    });
    this.sent.add(sent);
    // If Redis is unavailable, the subscription starts when it is back.
    this.subscriptions.add(signals, onSignal).catch(() => undefined);
    return sent;
  }

  private tellRefused(runId: string, reason: string): void {
    const now = performance.now();
    if (now - this.refusalLoggedAt < REFUSAL_LOGGED_EVERY_MS) return;
    this.refusalLoggedAt = now;
    this.logger.warn(
      `Redis refuses the events of run ${runId}: ${reason.replace(/\.?$/, '.')} Readers go on with the session store.`,
    );
  }

  private sendAll(): void {
    for (const sent of this.sent) sent.sendSoon();
  }

  private streamOf(runId: string): RunStream {
    return new RunStream(this.connection, this.settings.prefix, runId);
  }
}

/** An `ioredis` error without its own text, which may contain a command's arguments, such as a password. */
function asBusError(error: unknown): AgentError {
  const isRefusal = error instanceof Error && error.name === 'ReplyError';
  const code = isRefusal ? REFUSAL.exec(error.message)?.[1] : undefined;
  return new AgentError(
    'bus_unavailable',
    isRefusal
      ? `Redis refuses messages${code === undefined ? '' : ` (${code})`}.`
      : 'Redis cannot be reached.',
  );
}
