import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SseStream } from '../http/sse-client';
import type { ServerSettings } from '../support/processes/agent-server';
import { AgentServer, type Answer } from '../support/processes/agent-server.process';
import { RoundRobin } from '../support/processes/round-robin';
import { databaseUrl, dropSchema, newSchemaName } from './postgres';
import { redisUrl } from './redis/server';

/** What processes share: a database, and a Redis beside it, the tests' own or another one. */
export type Level = 'PostgreSQL' | 'PostgreSQL and Redis';

export const LEVELS: readonly Level[] = ['PostgreSQL', 'PostgreSQL and Redis'];

/** The settings of a level's bus. */
export function busOf(
  level: Level,
  prefix: string,
  url = redisUrl(),
): Pick<ServerSettings, 'redis'> {
  return level === 'PostgreSQL' ? {} : { redis: { url, prefix } };
}

interface FleetSettings extends Omit<ServerSettings, 'store' | 'deeds' | 'redis'> {
  /** `PostgreSQL` by default. */
  readonly level?: Level;
  /** The Redis; the tests' own by default. */
  readonly redisUrl?: string;
}

/** Processes on one PostgreSQL, behind a proxy that gives each request to the next one. */
export class Fleet {
  private constructor(
    private readonly settings: ServerSettings & {
      readonly schema: string;
      readonly folder: string;
    },
    readonly servers: AgentServer[],
    private readonly proxy: RoundRobin,
  ) {}

  static async start(
    size: number,
    { level = 'PostgreSQL', redisUrl: url, ...more }: FleetSettings = {},
  ): Promise<Fleet> {
    const schema = newSchemaName();
    const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-fleet-'));
    const settings = {
      schema,
      folder,
      store: { connectionString: databaseUrl(), schema },
      deeds: join(folder, 'deeds'),
      ...busOf(level, schema, url),
      ...more,
    };
    const servers = await Promise.all(
      Array.from({ length: size }, () => AgentServer.start(settings)),
    );
    const proxy = await RoundRobin.open(servers.map(({ url }) => url));
    return new Fleet(settings, servers, proxy);
  }

  /** What the tools of all processes did, a line each. */
  get deeds(): readonly string[] {
    return readFileSync(this.settings.deeds, { encoding: 'utf8', flag: 'a+' })
      .split('\n')
      .filter((line) => line !== '');
  }

  /** The same settings in one more process, which nobody is sent to yet. */
  another(): Promise<AgentServer> {
    return AgentServer.start(this.settings);
  }

  /**
   * Puts a process in the place of another, which then is asked to stop, as deployments do.
   * Resolves when the old one has ended.
   */
  replace(old: AgentServer, next: AgentServer): Promise<void> {
    this.servers.splice(this.servers.indexOf(old), 1, next);
    this.proxy.targets = this.servers.map(({ url }) => url);
    return old.stop();
  }

  async request(
    user: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: Answer & { readonly success?: boolean } }> {
    const response = await fetch(`${this.proxy.url}/agent${path}`, {
      method,
      headers: { ...as(user), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text || '{}') as Answer };
  }

  stream(user: string, body: object): Promise<SseStream> {
    return SseStream.open(`${this.proxy.url}/agent/chat/stream`, { headers: as(user), body });
  }

  events(user: string, runId: string, after: number): Promise<SseStream> {
    return SseStream.open(`${this.proxy.url}/agent/runs/${runId}/events`, {
      headers: { ...as(user), 'last-event-id': String(after) },
    });
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await Promise.all(this.servers.map((server) => server.kill()));
    await dropSchema(this.settings.schema);
    rmSync(this.settings.folder, { recursive: true });
  }
}

function as(user: string): { readonly authorization: string } {
  return { authorization: `Bearer ${user}` };
}
