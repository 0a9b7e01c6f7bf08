import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChatResult } from 'nestjs-agent';
import { SseStream } from '../../http/sse-client';
import { RoundRobin } from '../../support/processes/round-robin';
import { databaseUrl, dropSchema, newSchemaName } from '../postgres';
import { OwnRedis } from '../redis/server';
import { CANARY } from './canary';
import { ToldRun } from './told-run';
import type { Deed, WorkerSettings } from './worker-application';

/** Another release than the one in this folder. */
type Release = 'this' | 'next';

const HOOKS: Readonly<Record<Release, string>> = {
  this: join(__dirname, '../../support/typescript-hook.cjs'),
  next: join(__dirname, 'next-release.cjs'),
};
const SCRIPT = join(__dirname, 'worker-application.ts');
const RETRY_MS = 50;
/** A machine with much other load renews no lease of a second in time: set more there. */
const SHORT_LEASE_MS = Number(process.env['FAILURE_LEASE_MS'] ?? 1_000);
/** For tests in which no lease runs out. */
export const LONG_LEASE_MS = 15_000;

/** One process, and what it did. */
export class Machine {
  url = '';

  constructor(private readonly process: ChildProcess) {}

  get isAlive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Resolves when the process has ended, by itself or by a signal. */
  async ended(): Promise<void> {
    if (this.isAlive) await once(this.process, 'exit');
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const { process: child } = this;
    if (!this.isAlive) return;
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

interface MachinesOptions {
  /** Redis for the bus and the queue, or the database for the queue and no bus. */
  readonly queue?: 'redis' | 'postgres';
  /** The release of each web process. */
  readonly webs: readonly Release[];
  /** The PostgreSQL; the tests' own by default. */
  readonly databaseUrl?: string;
  /** Short by default, for tests that wait until the leases of a dead process run out. */
  readonly leaseMs?: number;
}

/** Web processes and workers over one PostgreSQL and one Redis. */
export class WorkerMachines {
  readonly schema = newSchemaName();
  readonly deeds: MachineDeed[] = [];
  /** What all processes logged. */
  readonly logs: string[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-workers-'));
  private readonly revoked = join(this.folder, 'revoked');
  private readonly heard = new EventEmitter().setMaxListeners(0);
  private readonly machines: Machine[] = [];
  private web: RoundRobin | undefined;

  private constructor(
    private readonly url: string,
    private readonly ownRedis: OwnRedis | undefined,
    readonly leaseMs: number,
  ) {
    writeFileSync(this.revoked, '');
  }

  /** With web processes; workers come later. */
  static async start(options: MachinesOptions): Promise<WorkerMachines> {
    const redis = options.queue === 'postgres' ? undefined : await OwnRedis.start();
    const machines = new WorkerMachines(
      options.databaseUrl ?? databaseUrl(),
      redis,
      options.leaseMs ?? SHORT_LEASE_MS,
    );
    const started = await Promise.all(
      options.webs.map((release) => machines.boot('web', {}, release)),
    );
    machines.web = await RoundRobin.open(started.map(({ url }) => url));
    return machines;
  }

  get redis(): OwnRedis {
    if (!this.ownRedis) throw new Error('These machines have no Redis.');
    return this.ownRedis;
  }

  /** Puts new web processes in the place of the others, which then are asked to stop. */
  async replaceWebs(): Promise<void> {
    if (!this.web) return;
    const old = this.machines.filter(({ url }) => this.web?.targets.includes(url));
    const next = await Promise.all(old.map(() => this.boot('web')));
    this.web.targets = next.map(({ url }) => url);
    await Promise.all(old.map((machine) => machine.end('SIGTERM')));
  }

  worker(settings: Partial<WorkerSettings> = {}, release?: Release): Promise<Machine> {
    return this.boot('worker', settings, release);
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

  /** How many processes killed themselves, where a message said so. */
  deaths(): number {
    return readdirSync(this.folder).filter((name) => name.startsWith('revoked-')).length;
  }

  async close(): Promise<void> {
    await this.web?.close();
    await Promise.all(this.machines.map((machine) => machine.end('SIGKILL')));
    await this.ownRedis?.remove();
    if (this.url === databaseUrl()) {
      await dropSchema(this.schema);
      await dropSchema(`${this.schema}_jobs`);
    }
    rmSync(this.folder, { recursive: true });
  }

  private get at(): string {
    return `${this.web?.url ?? ''}/agent`;
  }

  private async opened(open: () => Promise<SseStream>): Promise<SseStream> {
    for (;;) {
      const stream = await open();
      // A process that goes, whose database is away, or of a release that cannot read the run.
      if ((stream.status ?? 0) < 500) return stream;
      stream.drop();
      await delay(RETRY_MS);
    }
  }

  private async boot(
    role: WorkerSettings['role'],
    more: Partial<WorkerSettings> = {},
    release: Release = 'this',
  ): Promise<Machine> {
    const settings: WorkerSettings = {
      role,
      databaseUrl: this.url,
      schema: this.schema,
      ...(this.ownRedis && { redisPort: this.ownRedis.port }),
      leaseMs: this.leaseMs,
      revoked: this.revoked,
      concurrency: 20,
      drainMs: 5_000,
      aheadMs: 0,
      ...more,
    };
    const args = ['--require', HOOKS[release], SCRIPT, JSON.stringify(settings)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const machine = new Machine(child);
    this.machines.push(machine);
    createInterface({ input: child.stderr }).on('line', (line) => this.logs.push(line));
    const up = new Promise<string>((resolve, reject) => {
      child.once('close', () => reject(new Error(`It did not start.\n${this.logs.join('\n')}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('{')) this.hear({ ...(JSON.parse(line) as Deed), by: machine });
        else if (line.startsWith('http:')) resolve(line);
        else this.logs.push(line);
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
