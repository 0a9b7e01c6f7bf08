import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '../../support/free-port';

/** A Redis server for one test, which may kill and restart it. It stores nothing on disk. */
export class OwnRedis {
  private process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  /** @throws Error where there is no program `redis-server` */
  static async start(...settings: readonly string[]): Promise<OwnRedis> {
    const redis = new OwnRedis(await freePort(), settings);
    await redis.up();
    return redis;
  }

  async up(): Promise<void> {
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', ''];
    this.process = spawn('redis-server', [...args, '--appendonly', 'no', ...this.settings], {
      stdio: 'ignore',
    });
    const missing = once(this.process, 'error').then(() => {
      throw new Error('These tests need the program redis-server on the PATH.');
    });
    await Promise.race([this.answers(), missing]);
    missing.catch(() => undefined);
  }

  async kill(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const gone = once(process, 'exit');
    process.kill('SIGKILL');
    await gone;
  }

  /** One command, on a connection of its own, with the server's answer. */
  async ask(...words: readonly string[]): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return answer.toString();
  }

  private async answers(): Promise<void> {
    for (;;) {
      const answer = await this.ask('PING').catch(() => '');
      if (answer.startsWith('+PONG')) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
