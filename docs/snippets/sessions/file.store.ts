import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  LeaseLostError,
  SessionExistsError,
  SessionNotFoundError,
  VersionConflictError,
  type AppendOptions,
  type Lease,
  type SessionEntry,
  type SessionRecord,
  type SessionStore,
  type StoredEntry,
} from 'nestjs-agent';

interface SessionFile {
  readonly id: string;
  readonly owner?: string;
  readonly createdAt: number;
  lastUsedAt: number;
  /** The position of the first entry. */
  from: number;
  entries: SessionEntry[];
  readFrom: number;
  leaseToken: number;
  leaseUntil: number;
  runIds: string[];
}

/** Each session in a JSON file: for one process, and few sessions. */
export class FileStore implements SessionStore {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: string) {}

  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
  }

  create({ id, owner }: { readonly id: string; readonly owner?: string }): Promise<SessionRecord> {
    return this.alone(async () => {
      if (await this.load(id)) throw new SessionExistsError();
      const session: SessionFile = {
        id,
        ...(owner !== undefined && { owner }),
        createdAt: now(),
        lastUsedAt: now(),
        from: 1,
        entries: [],
        readFrom: 1,
        leaseToken: 0,
        leaseUntil: 0,
        runIds: [],
      };
      await this.save(session);
      return recordOf(session);
    });
  }

  find(sessionId: string): Promise<SessionRecord | undefined> {
    return this.alone(async () => {
      const session = await this.load(sessionId);
      return session && recordOf(session);
    });
  }

  async findByRun(runId: string): Promise<SessionRecord | undefined> {
    const sessions = await this.alone(() => this.all());
    const session = sessions.find(({ runIds }) => runIds.includes(runId));
    return session && recordOf(session);
  }

  async list(
    owner: string,
    { limit = Infinity, offset = 0 }: { readonly limit?: number; readonly offset?: number } = {},
  ): Promise<readonly SessionRecord[]> {
    const sessions = await this.alone(() => this.all());
    return sessions
      .filter((session) => session.owner === owner)
      .sort((a, b) => b.lastUsedAt - a.lastUsedAt)
      .slice(offset, offset + limit)
      .map(recordOf);
  }

  read(
    sessionId: string,
    from = 1,
    { limit = Infinity }: { readonly limit?: number } = {},
  ): Promise<readonly StoredEntry[]> {
    return this.alone(async () => {
      const session = await this.load(sessionId);
      return (session?.entries ?? [])
        .map((entry, index) => ({ position: (session?.from ?? 1) + index, entry }))
        .filter(({ position }) => position >= from)
        .slice(0, limit);
    });
  }

  // #region writing
  acquire(sessionId: string, ttlMs: number): Promise<Lease | undefined> {
    return this.alone(async () => {
      const session = await this.require(sessionId);
      if (session.leaseUntil > now()) return undefined;
      session.leaseToken += 1; // whoever held an older lease is fenced off
      session.leaseUntil = now() + ttlMs;
      await this.save(session);
      return { sessionId, token: session.leaseToken };
    });
  }

  append(sessionId: string, options: AppendOptions): Promise<number> {
    const { lease, expectedVersion, entries, checkpoint, discardBefore } = options;
    return this.alone(async () => {
      const session = await this.require(sessionId);
      if (!holds(session, lease)) throw new LeaseLostError();
      if (versionOf(session) !== expectedVersion) throw new VersionConflictError();
      session.entries.push(...entries);
      session.runIds.push(...entries.flatMap(startedRun));
      session.lastUsedAt = now();
      if (checkpoint && entries.length > 0) session.readFrom = expectedVersion + 1;
      if (discardBefore) {
        session.entries.splice(0, session.readFrom - session.from);
        session.from = session.readFrom;
      }
      await this.save(session);
      return versionOf(session);
    });
  }
  // #endregion writing

  renew(lease: Lease, ttlMs: number): Promise<boolean> {
    return this.alone(() => this.prolong(lease, now() + ttlMs));
  }

  async release(lease: Lease): Promise<void> {
    await this.alone(() => this.prolong(lease, 0));
  }

  delete(sessionId: string): Promise<boolean> {
    return this.alone(async () => {
      const session = await this.load(sessionId);
      if (session) await this.remove([session]);
      return session !== undefined;
    });
  }

  deleteAll(owner?: string): Promise<number> {
    return this.alone(async () => {
      const sessions = (await this.all()).filter(isOwnedBy(owner));
      await this.remove(sessions);
      return sessions.length;
    });
  }

  deleteIdle(since: Date): Promise<readonly string[]> {
    return this.alone(async () => {
      const idle = (await this.all()).filter(
        ({ lastUsedAt, leaseUntil }) => lastUsedAt < since.getTime() && leaseUntil <= now(),
      );
      await this.remove(idle);
      return idle.map(({ id }) => id);
    });
  }

  async count(owner?: string): Promise<number> {
    return (await this.alone(() => this.all())).filter(isOwnedBy(owner)).length;
  }

  // #region alone
  /** One piece of work at a time, whoever asks: that is what makes each method atomic. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
  // #endregion alone

  private async prolong(lease: Lease, until: number): Promise<boolean> {
    const session = await this.load(lease.sessionId);
    if (!session || !holds(session, lease)) return false;
    session.leaseUntil = until;
    await this.save(session);
    return true;
  }

  private async require(sessionId: string): Promise<SessionFile> {
    const session = await this.load(sessionId);
    if (!session) throw new SessionNotFoundError();
    return session;
  }

  private async load(sessionId: string): Promise<SessionFile | undefined> {
    const names = await readdir(this.folder);
    const name = nameOf(sessionId);
    return names.includes(name) ? this.parse(name) : undefined;
  }

  private async all(): Promise<readonly SessionFile[]> {
    const names = await readdir(this.folder);
    return Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => this.parse(name)),
    );
  }

  private async parse(name: string): Promise<SessionFile> {
    return JSON.parse(await readFile(join(this.folder, name), 'utf8')) as SessionFile;
  }

  /** A crash leaves the old file or the new one, never half of one. */
  private async save(session: SessionFile): Promise<void> {
    const path = join(this.folder, nameOf(session.id));
    await writeFile(`${path}.new`, JSON.stringify(session));
    await rename(`${path}.new`, path);
  }

  private async remove(sessions: readonly SessionFile[]): Promise<void> {
    await Promise.all(sessions.map(({ id }) => rm(join(this.folder, nameOf(id)))));
  }
}

/** Ids may hold any characters, names of files may not. */
function nameOf(sessionId: string): string {
  const hash = createHash('sha256').update(JSON.stringify(sessionId)).digest('hex');
  return `${hash}.json`;
}

/** Milliseconds with a fraction, which orders sessions that were used within one. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function holds({ leaseToken, leaseUntil }: SessionFile, { token }: Lease): boolean {
  return leaseToken === token && leaseUntil > now();
}

function versionOf({ from, entries }: SessionFile): number {
  return from + entries.length - 1;
}

function startedRun(entry: SessionEntry): string[] {
  return entry.type === 'run.started' ? [entry.runId] : [];
}

function isOwnedBy(owner: string | undefined): (session: SessionFile) => boolean {
  return (session) => owner === undefined || session.owner === owner;
}

function recordOf(session: SessionFile): SessionRecord {
  const { id, owner, createdAt, lastUsedAt, readFrom } = session;
  return {
    id,
    ...(owner !== undefined && { owner }),
    createdAt: new Date(createdAt),
    lastUsedAt: new Date(lastUsedAt),
    version: versionOf(session),
    readFrom,
  };
}
