import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChatResult } from 'nestjs-agent';
import { SseStream } from '../../http/sse-client';
import { RoundRobin } from '../../support/processes/round-robin';
import { dropSchema, newSchemaName } from '../postgres';
import { OwnRedis } from '../redis/server';
import { CANARY } from './canary';
import { ToldRun } from './told-run';
import type { Deed, WorkerSettings } from './worker-application';

const HOOK = join(__dirname, '../../support/typescript-hook.cjs');
const SCRIPT = join(__dirname, 'worker-application.ts');
const RETRY_MS = 50;

/** One process, and what it did. */
export class Machine {
  url = '';

  constructor(private readonly process: ChildProcess) {}

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const { process: child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    // A stopped process takes no other signal.
    if (signal === 'SIGKILL') child.kill('SIGCONT');
    await ended;
  }
}

/** A deed, and which process did it. */
interface MachineDeed extends Deed {
  readonly by: Machine;
}

/** Web processes and workers over one PostgreSQL and one Redis. */
export class WorkerMachines {
  readonly schema = newSchemaName();
  readonly deeds: MachineDeed[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-workers-'));
  private readonly revoked = join(this.folder, 'revoked');
  private readonly heard = new EventEmitter().setMaxListeners(0);
  private readonly machines: Machine[] = [];
  private web: RoundRobin | undefined;

  private constructor(readonly redis: OwnRedis) {
    writeFileSync(this.revoked, '');
  }

  /** With web processes; workers come later. */
  static async start(webs: number): Promise<WorkerMachines> {
    const machines = new WorkerMachines(await OwnRedis.start());
    const started = await Promise.all(Array.from({ length: webs }, () => machines.boot('web')));
    machines.web = await RoundRobin.open(started.map(({ url }) => url));
    return machines;
  }

  worker(settings: Partial<WorkerSettings> = {}): Promise<Machine> {
    return this.boot('worker', settings);
  }

  /** A user who may log in no more. */
  revoke(...users: readonly string[]): void {
    appendFileSync(this.revoked, `\n${users.join('\n')}\n`);
  }

  /** The first deed that fits, from now on. */
  async next(fits: (deed: MachineDeed) => boolean): Promise<MachineDeed> {
    for (;;) {
      const [deed] = (await once(this.heard, 'deed')) as [MachineDeed];
      if (fits(deed)) return deed;
    }
  }

  of(kind: Deed['kind'], tag = ''): readonly MachineDeed[] {
    return this.deeds.filter((deed) => deed.kind === kind && deed.tag.startsWith(tag));
  }

  /** A run, which is followed from process to process until its end. */
  async run(user: string, message: string): Promise<ToldRun> {
    const path = '/chat/stream';
    const stream = await this.opened(() =>
      SseStream.open(`${this.at}${path}`, { headers: headersOf(user), body: { message } }),
    );
    if (stream.status !== 200) throw new Error(`${stream.status}: ${stream.text}`);
    const { runId, sessionId } = await stream.next('run.started');
    return new ToldRun(runId, sessionId, stream, (after) => this.events(user, runId, after));
  }

  events(user: string, runId: string, after: number): Promise<SseStream> {
    const headers = { ...headersOf(user), 'last-event-id': String(after) };
    return this.opened(() => SseStream.open(`${this.at}/runs/${runId}/events`, { headers }));
  }

  async request(user: string, method: string, path: string, body?: object): Promise<ChatResult> {
    const response = await fetch(`${this.at}${path}`, {
      method,
      headers: { ...headersOf(user), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as ChatResult;
  }

  async close(): Promise<void> {
    await this.web?.close();
    await Promise.all(this.machines.map((machine) => machine.end('SIGKILL')));
    await this.redis.remove();
    await dropSchema(this.schema);
    rmSync(this.folder, { recursive: true });
  }

  private get at(): string {
    return `${this.web?.url ?? ''}/agent`;
  }

  private async opened(open: () => Promise<SseStream>): Promise<SseStream> {
    for (;;) {
      const stream = await open();
      if (stream.status !== 503) return stream;
      stream.drop();
      await delay(RETRY_MS);
    }
  }

  private async boot(
    role: WorkerSettings['role'],
    more: Partial<WorkerSettings> = {},
  ): Promise<Machine> {
    const settings: WorkerSettings = {
      role,
      schema: this.schema,
      redisPort: this.redis.port,
      leaseMs: 1_000,
      revoked: this.revoked,
      concurrency: 20,
      drainMs: 5_000,
      aheadMs: 0,
      ...more,
    };
    const args = ['--require', HOOK, SCRIPT, JSON.stringify(settings)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const machine = new Machine(child);
    this.machines.push(machine);
    const up = new Promise<string>((resolve, reject) => {
      child.once('exit', () => reject(new Error('It did not start.')));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('{')) this.hear({ ...(JSON.parse(line) as Deed), by: machine });
        else resolve(line);
      });
    });
    machine.url = await up;
    return machine;
  }

  private hear(deed: MachineDeed): void {
    this.deeds.push(deed);
    this.heard.emit('deed', deed);
  }
}

function headersOf(user: string): Record<string, string> {
  return {
    authorization: `Bearer ${CANARY}-token:${user}`,
    cookie: `session=${CANARY}-cookie`,
    'x-api-key': `${CANARY}-key`,
  };
}
