import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../../support/free-port';

const BOOT_MS = 10_000;

/** Where the tests' Redis is. */
export function redisUrl(): string {
  return process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
}

/** A Redis of a test's own, which it may kill and start again; it keeps nothing. */
export class OwnRedis {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly args: readonly string[],
  ) {}

  static async start(...args: readonly string[]): Promise<OwnRedis> {
    const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-redis-'));
    const redis = new OwnRedis(await freePort(), folder, args);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const { port, folder, args } = this;
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    this.child = spawn('redis-server', [...settings, ...args], { stdio: 'ignore' });
    await answers(this.url);
  }

  /** Like a power failure: its data is lost. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Like a network failure: it runs and does not answer. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.child?.kill('SIGCONT');
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function answers(url: string): Promise<void> {
  const giveUpAt = Date.now() + BOOT_MS;
  for (;;) {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.ping();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await delay(10);
    } finally {
      client.disconnect();
    }
  }
}
