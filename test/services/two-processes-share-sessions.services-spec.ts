import { randomUUID } from 'node:crypto';
import { textOf } from 'nestjs-agent';
import type { SessionStore } from 'nestjs-agent';
import type { Lease } from 'nestjs-agent/types';
import { sqlStore } from 'nestjs-agent/sql';
import { databaseUrl, dropSchema, newSchemaName, runSql } from './postgres';
import { SessionWriter } from './session-writer.process';

describe('several processes on one PostgreSQL', () => {
  const schema = newSchemaName();
  const connectionString = databaseUrl();
  let store: SessionStore & { close(): Promise<void> };
  let sessionId: string;
  let writers: SessionWriter[];

  beforeEach(async () => {
    store = sqlStore({ connectionString, schema });
    sessionId = randomUUID();
    writers = [];
  });

  afterEach(async () => {
    await Promise.all(writers.map((writer) => writer.kill()));
    await store.close();
  });

  afterAll(() => dropSchema(schema));

  function start(name: string): SessionWriter {
    const writer = new SessionWriter(schema, sessionId, name);
    writers.push(writer);
    return writer;
  }

  /** Expires a lease in the database, whose clock decides. */
  async function acquiredAfterItsEnd(): Promise<Lease> {
    await runSql(`update ${schema}.agent_sessions set lease_until = now() where id = $1`, [
      sessionId,
    ]);
    const lease = await store.acquire(sessionId, 60_000);
    if (!lease) throw new Error('The session is still taken.');
    return lease;
  }

  it('boot together on an empty database, and one of them migrates it', async () => {
    await dropSchema(schema);
    const booting = ['a', 'b', 'c', 'd'].map(start);
    const answers = await Promise.all(booting.map((writer) => writer.tell('open')));
    expect(answers).toEqual(['open', 'open', 'open', 'open']);
  }, 60_000);

  it('take turns on one session, and never interleave', async () => {
    await store.create({ id: sessionId });
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => start(name).tell('turns 20')));
    const stored = await store.read(sessionId);
    const texts = stored.map(({ entry }) =>
      entry.type === 'message' ? textOf(entry.message) : '',
    );
    expect(texts).toHaveLength(120);
    expect(stored.map(({ position }) => position)).toEqual(texts.map((_, index) => index + 1));
    const turns = texts.filter((_, index) => index % 2 === 0);
    expect(texts.filter((_, index) => index % 2 === 1)).toEqual(turns);
    for (const name of names) {
      const own = turns.filter((text) => text.startsWith(name));
      expect(own).toEqual(Array.from({ length: 20 }, (_, turn) => `${name}-${turn}`));
    }
  }, 60_000);

  it('get a killed process’s session as soon as its lease has run out', async () => {
    await store.create({ id: sessionId });
    const writer = start('a');
    expect(await writer.tell('acquire 60000')).toBe('acquired');
    await writer.kill();
    expect(await store.acquire(sessionId, 60_000)).toBeUndefined();
    const lease = await acquiredAfterItsEnd();
    const entry = { v: 1, type: 'groups.changed', active: [] } as const;
    const entries = [entry];
    const { version } = await store.append(sessionId, { lease, expectedVersion: 0, entries });
    expect(version).toBe(1);
  }, 60_000);

  it('fence a paused process off that wakes after its lease was taken', async () => {
    await store.create({ id: sessionId });
    const writer = start('a');
    expect(await writer.tell('acquire 60000')).toBe('acquired');
    writer.signal('SIGSTOP');
    await acquiredAfterItsEnd();
    writer.signal('SIGCONT');
    expect(await writer.tell('write')).toBe('error lease_lost');
    expect(await store.read(sessionId)).toEqual([]);
  }, 60_000);
});
