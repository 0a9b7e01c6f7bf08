import { EventEmitter, once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChatResult } from 'nestjs-agent';
import { SseStream } from '../../http/sse-client';
import { RoundRobin } from '../../support/processes/round-robin';
import { databaseUrl, dropSchema, newSchemaName } from '../postgres';
import { OwnRedis } from '../redis/server';
import { CANARY } from './canary';
import type { Deed } from './deed';
import { Machine, type Release } from './machine';
import type { Settings } from './settings';
import { StreamedRun } from './streamed-run';
import type { Topology } from './topology';

const RETRY_MS = 50;
/** A machine with much other load renews no lease of two seconds in time: set more there. */
const SHORT_LEASE_MS = Number(process.env['FAILURE_LEASE_MS'] ?? 2_000);
/** For tests in which no lease runs out. */
export const LONG_LEASE_MS = 15_000;

/** An effect of a tool, and the process that caused it. */
export interface MachineDeed extends Deed {
  readonly by: Machine;
}

interface FleetOptions {
  /** The PostgreSQL; the tests' own by default. */
  readonly databaseUrl?: string;
  /** The releases of the web processes; this one by default. */
  readonly releases?: readonly Release[];
}

/** Settings of all processes. */
type Given = Partial<Omit<Settings, 'databaseUrl' | 'schema' | 'redisPort' | 'queue' | 'revoked'>>;

/** An answer of any endpoint. */
interface Answer {
  readonly status: number;
  readonly body: ChatResult & { readonly code?: string; readonly success?: boolean };
}

/** The processes of a topology, behind a proxy that gives each request to the next web process. */
export class Fleet {
  readonly schema = newSchemaName();
  readonly webs: Machine[] = [];
  readonly workers: Machine[] = [];
  readonly deeds: MachineDeed[] = [];
  /** The logs of all processes. */
  readonly logs: string[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-fleet-'));
  private readonly revoked = join(this.folder, 'revoked');
  private readonly heard = new EventEmitter().setMaxListeners(0);
  private readonly machines: Machine[] = [];
  private proxy: RoundRobin | undefined;

  private constructor(
    private readonly topology: Topology,
    private readonly url: string,
    private readonly ownRedis: OwnRedis | undefined,
    private readonly given: Given,
  ) {
    writeFileSync(this.revoked, '');
  }

  /** @param leaseMs short by default, for tests that wait until the leases of a dead process run out */
  static async start(topology: Topology, options: FleetOptions & Given = {}): Promise<Fleet> {
    const { databaseUrl: url = databaseUrl(), releases = [], ...given } = options;
    const usesRedis = topology.bus === 'redis' || topology.queue === 'redis';
    const redis = usesRedis ? await OwnRedis.start() : undefined;
    const fleet = new Fleet(topology, url, redis, given);
    try {
      await fleet.open(releases);
      return fleet;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  get redis(): OwnRedis {
    if (!this.ownRedis) throw new Error('These processes have no Redis.');
    return this.ownRedis;
  }

  get leaseMs(): number {
    return this.given.leaseMs ?? SHORT_LEASE_MS;
  }

  /** Starts a web process that gets no requests yet. */
  web(release?: Release): Promise<Machine> {
    return this.boot({ role: this.given.role ?? 'web' }, release);
  }

  async worker(more: Given = {}, release?: Release): Promise<Machine> {
    const worker = await this.boot({ ...more, role: 'worker' }, release);
    this.workers.push(worker);
    return worker;
  }

  /**
   * Replaces a web process by another and then stops it, as deployments do.
   * Resolves when the old one has ended.
   */
  async replace(old: Machine, next: Machine): Promise<void> {
    this.webs.splice(this.webs.indexOf(old), 1, next);
    if (this.proxy) this.proxy.targets = this.webs.map(({ url }) => url);
    await old.end('SIGTERM');
  }

  /** Resumes everything that waits in any process. */
  async go(): Promise<void> {
    await Promise.all(this.machines.filter(({ isAlive }) => isAlive).map((each) => each.go()));
  }

  /** Revokes a user's log-in. */
  revoke(...users: readonly string[]): void {
    appendFileSync(this.revoked, `\n${users.join('\n')}\n`);
  }

  /** Resolves with the next matching effect. */
  async next(fits: (deed: MachineDeed) => boolean): Promise<MachineDeed> {
    for (;;) {
      const [deed] = (await once(this.heard, 'deed')) as [MachineDeed];
      if (fits(deed)) return deed;
    }
  }

  of(kind: Deed['kind'], tag = ''): readonly MachineDeed[] {
    return this.deeds.filter((deed) => deed.kind === kind && deed.tag.startsWith(tag));
  }

  /** Starts a run and follows it from process to process until its end. */
  async run(user: string, message: string, more: object = {}): Promise<StreamedRun> {
    const stream = await this.answered(() => this.stream(user, { message, ...more }));
    if (stream.status !== 200) throw new Error(`${stream.status}: ${stream.text}`);
    const { runId, sessionId } = await stream.next('run.started');
    return new StreamedRun(runId, sessionId, stream, (after) =>
      this.answered(() => this.events(user, runId, after)),
    );
  }

  /** @param web the process that is asked; the next one by default */
  stream(user: string, body: object, web?: Machine): Promise<SseStream> {
    return SseStream.open(`${this.at(web)}/agent/chat/stream`, { headers: headersOf(user), body });
  }

  /** @param web the process that is asked; the next one by default */
  events(user: string, runId: string, after: number, web?: Machine): Promise<SseStream> {
    const headers = { ...headersOf(user), 'last-event-id': String(after) };
    return SseStream.open(`${this.at(web)}/agent/runs/${runId}/events`, { headers });
  }

  /**
   * @param path below the agent's own, unless it begins with `/own`
   * @param web the process that is asked; the next one by default
   */
  async request(
    user: string,
    method: string,
    path: string,
    body?: object,
    web?: Machine,
  ): Promise<Answer> {
    const agent = path.startsWith('/own') ? '' : '/agent';
    const response = await fetch(`${this.at(web)}${agent}${path}`, {
      method,
      headers: { ...headersOf(user), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text || '{}') as Answer['body'] };
  }

  async close(): Promise<void> {
    await this.proxy?.close();
    await Promise.all(this.machines.map((machine) => machine.end('SIGKILL')));
    await this.ownRedis?.remove();
    if (this.url === databaseUrl()) {
      await dropSchema(this.schema);
      await dropSchema(`${this.schema}_jobs`);
    }
    rmSync(this.folder, { recursive: true });
  }

  private async open(releases: readonly Release[]): Promise<void> {
    const { topology, webs } = this;
    const opening = Array.from({ length: topology.webs }, (_, index) => this.web(releases[index]));
    const workers = Array.from({ length: topology.workers }, () => this.worker());
    const [opened] = await Promise.all([Promise.all(opening), Promise.all(workers)]);
    webs.push(...opened);
    this.proxy = await RoundRobin.open(webs.map(({ url }) => url));
  }

  private at(web?: Machine): string {
    return web?.url ?? this.proxy?.url ?? '';
  }

  private async answered(open: () => Promise<SseStream>): Promise<SseStream> {
    for (;;) {
      const stream = await open();
      // The process is stopping, has no database, or is of a release that cannot read the run.
      if ((stream.status ?? 0) < 500) return stream;
      stream.drop();
      await delay(RETRY_MS);
    }
  }

  private async boot(more: Given & Pick<Settings, 'role'>, release?: Release): Promise<Machine> {
    const { queue } = this.topology;
    const settings: Settings = {
      databaseUrl: this.url,
      schema: this.schema,
      ...(this.ownRedis && { redisPort: this.ownRedis.port }),
      ...(queue && { queue }),
      revoked: this.revoked,
      leaseMs: this.leaseMs,
      onDisconnect: 'continue',
      runsPerPrincipal: 2_000,
      concurrency: 50,
      drainMs: 5_000,
      aheadMs: 0,
      ...this.given,
      ...more,
    };
    const machine = new Machine(settings, release ?? 'this', (line, by) => {
      if (line.startsWith('{')) this.hear({ ...(JSON.parse(line) as Deed), by });
      else this.logs.push(line);
    });
    this.machines.push(machine);
    await machine.up;
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
