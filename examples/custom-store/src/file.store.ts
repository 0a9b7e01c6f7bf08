import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  LeaseLostError,
  SessionExistsError,
  SessionNotFoundError,
  TooManyRunsError,
  VersionConflictError,
  type SessionStore,
} from 'nestjs-agent';
import type {
  AgentFilter,
  AppendOptions,
  Appended,
  Draft,
  Lease,
  NewSession,
  RecordedEntry,
  Renewed,
  RunRecord,
  SessionHeadline,
  SessionRecord,
  StoredEntry,
  TakenLease,
} from 'nestjs-agent/types';

interface SessionFile {
  readonly id: string;
  readonly owner?: string;
  readonly agent?: string;
  readonly parent?: string;
  readonly createdAt: number;
  lastUsedAt: number;
  /** The position of the first entry. */
  from: number;
  entries: RecordedEntry[];
  readFrom: number;
  headline?: SessionHeadline;
  draft?: Draft;
  leaseToken: number;
  leaseUntil: number;
  /** Where its runs begin. */
  runs: { readonly runId: string; readonly position: number }[];
}

/** Each session in a JSON file: for one process, and few sessions. */
export class FileStore implements SessionStore {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: string) {}

  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
  }

  create(created: NewSession): Promise<SessionRecord> {
    return this.alone(async () => {
      const { id, parent } = created;
      if (await this.load(id)) throw new SessionExistsError();
      if (parent !== undefined) await this.require(parent);
      const session: SessionFile = {
        ...created,
        createdAt: now(),
        lastUsedAt: now(),
        from: 1,
        entries: [],
        readFrom: 1,
        leaseToken: 0,
        leaseUntil: 0,
        runs: [],
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

  async findByRun(runId: string): Promise<RunRecord | undefined> {
    for (const session of await this.alone(() => this.all())) {
      const run = session.runs.find((each) => each.runId === runId);
      if (run) return { ...recordOf(session), runStart: run.position };
    }
    return undefined;
  }

  async list(
    owner: string,
    {
      limit = Infinity,
      offset = 0,
      ...of
    }: AgentFilter & { readonly limit?: number; readonly offset?: number } = {},
  ): Promise<readonly SessionRecord[]> {
    const sessions = await this.alone(() => this.all());
    return sessions
      .filter(isConversation(owner, of))
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
  acquire(
    sessionId: string,
    ttlMs: number,
    { maxPerOwner = Infinity }: { readonly maxPerOwner?: number } = {},
  ): Promise<TakenLease | undefined> {
    return this.alone(async () => {
      const session = await this.require(sessionId);
      if (isHeld(session)) return undefined;
      if ((await this.heldBeside(session)) >= maxPerOwner) throw new TooManyRunsError(maxPerOwner);
      session.leaseToken += 1; // fences off holders of older leases
      session.leaseUntil = now() + ttlMs;
      await this.save(session);
      return { sessionId, token: session.leaseToken, record: recordOf(session) };
    });
  }

  append(sessionId: string, options: AppendOptions): Promise<Appended> {
    const { lease, expectedVersion, entries, headline, readFrom, discardBefore, release } = options;
    return this.alone(async () => {
      const session = await this.require(sessionId);
      if (!holds(session, lease)) throw new LeaseLostError();
      if (versionOf(session) !== expectedVersion) throw new VersionConflictError();
      session.entries.push(...entries);
      session.runs.push(
        ...entries.flatMap((entry, index) => startOf(entry, expectedVersion + index)),
      );
      session.lastUsedAt = now();
      if (headline) session.headline = headline;
      if (readFrom !== undefined) session.readFrom = readFrom;
      if (discardBefore) {
        session.entries.splice(0, session.readFrom - session.from);
        session.from = session.readFrom;
      }
      delete session.draft; // the entries have its text
      if (release) session.leaseUntil = 0;
      await this.save(session);
      return { version: versionOf(session), signals: {} };
    });
  }
  // #endregion writing

  async renew(lease: Lease, ttlMs: number, draft?: Draft): Promise<Renewed> {
    const isHeld = await this.alone(() => this.prolong(lease, now() + ttlMs, draft));
    return { isHeld, signals: {} };
  }

  async release(lease: Lease): Promise<void> {
    await this.alone(() => this.prolong(lease, 0));
  }

  delete(sessionId: string): Promise<boolean> {
    return this.alone(async () => {
      const session = await this.load(sessionId);
      if (session) await this.remove(treeOf(session, await this.all()));
      return session !== undefined;
    });
  }

  deleteAll(owner?: string, of: AgentFilter = {}): Promise<number> {
    return this.alone(async () => {
      const all = await this.all();
      const conversations = all.filter(isConversation(owner, of));
      await this.remove(conversations.flatMap((session) => treeOf(session, all)));
      return conversations.length;
    });
  }

  // #region idle
  deleteIdle(since: Date): Promise<readonly string[]> {
    return this.alone(async () => {
      const all = await this.all();
      const idle = all
        .filter(isConversation())
        .filter((session) => session.lastUsedAt < since.getTime())
        .map((session) => treeOf(session, all))
        .filter((tree) => !tree.some(isHeld)) // a child that is in use keeps its conversation
        .flat();
      await this.remove(idle);
      return idle.map(({ id }) => id);
    });
  }
  // #endregion idle

  async count(owner?: string, of: AgentFilter = {}): Promise<number> {
    return (await this.alone(() => this.all())).filter(isConversation(owner, of)).length;
  }

  // #region alone
  /** Runs one task at a time, which makes each method atomic. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
  // #endregion alone

  private async prolong(lease: Lease, until: number, draft?: Draft): Promise<boolean> {
    const session = await this.load(lease.sessionId);
    if (!session || !holds(session, lease)) return false;
    session.leaseUntil = until;
    if (draft) session.draft = draft;
    await this.save(session);
    return true;
  }

  private async heldBeside({ owner, parent }: SessionFile): Promise<number> {
    if (owner === undefined || parent !== undefined) return 0;
    return (await this.all()).filter(isConversation(owner)).filter(isHeld).length;
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

  /** Children first: a crash leaves none without its parent. */
  private async remove(sessions: readonly SessionFile[]): Promise<void> {
    for (const { id } of sessions.toReversed()) await rm(join(this.folder, nameOf(id)));
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

function isHeld({ leaseUntil }: SessionFile): boolean {
  return leaseUntil > now();
}

function holds(session: SessionFile, { token }: Lease): boolean {
  return session.leaseToken === token && isHeld(session);
}

function versionOf({ from, entries }: SessionFile): number {
  return from + entries.length - 1;
}

function startOf(entry: RecordedEntry, before: number): SessionFile['runs'] {
  return entry.type === 'run.started' ? [{ runId: entry.runId, position: before + 1 }] : [];
}

// #region conversations
function isConversation(owner?: string, { agent }: AgentFilter = {}) {
  return (session: SessionFile): boolean =>
    session.parent === undefined &&
    (owner === undefined || session.owner === owner) &&
    (agent === undefined || (session.agent ?? null) === agent);
}

/** A session, its children and theirs. */
function treeOf(session: SessionFile, all: readonly SessionFile[]): readonly SessionFile[] {
  const children = all.filter(({ parent }) => parent === session.id);
  return [session, ...children.flatMap((child) => treeOf(child, all))];
}
// #endregion conversations

function recordOf(session: SessionFile): SessionRecord {
  const { id, owner, agent, parent, createdAt, lastUsedAt, readFrom, headline, draft } = session;
  return {
    id,
    ...(owner !== undefined && { owner }),
    ...(agent !== undefined && { agent }),
    ...(parent !== undefined && { parent }),
    createdAt: new Date(createdAt),
    lastUsedAt: new Date(lastUsedAt),
    version: versionOf(session),
    readFrom,
    isHeld: isHeld(session),
    ...(headline && { headline }),
    ...(draft && { draft }),
  };
}
