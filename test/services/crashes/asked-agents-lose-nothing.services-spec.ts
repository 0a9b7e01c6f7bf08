import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionStore } from 'nestjs-agent';
import { sqlStore, type SqlStoreOptions } from 'nestjs-agent/sql';
import { IS_THOROUGH } from '../failure-rounds';
import { databaseUrl, dropSchema, newSchemaName } from '../postgres';
import { ASKED_POINTS, askingApplication } from './asking-application';
import { OWNER } from './scripted-turn';
import { runProcess } from './turn';

// Before the tests, a dozen processes run one after the other, and each opens the embedded database.
jest.setTimeout(600_000);

/** What an answered request leaves in the embedded one is tested beside this. */
const DATABASES = ['served PostgreSQL', ...(IS_THOROUGH ? ['embedded PostgreSQL'] : [])];

describe.each(DATABASES)('an agent that asks another, killed by SIGKILL, on %s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-asked-crashes-'));
  const schema = newSchemaName();
  const options: SqlStoreOptions =
    name === 'served PostgreSQL'
      ? { connectionString: databaseUrl(), schema }
      : { dataDir: join(folder, 'data') };
  const deeds = join(folder, 'deeds');
  const sessions = new Map([...ASKED_POINTS, ''].map((point) => [point, `ses_${randomUUID()}`]));
  let store: SessionStore;

  const order = (point: string) => ({
    store: options,
    deeds,
    sessionId: sessions.get(point) ?? '',
    ...(point !== '' && { point }),
  });

  beforeAll(async () => {
    writeFileSync(deeds, '');
    const first = sqlStore(options);
    await first.open();
    for (const id of sessions.values()) await first.create({ id, owner: OWNER.principal });
    await first.close();
    const whole = await runProcess('asked-turn.process.ts', order(''));
    if (whole.stderr !== '') throw new Error(whole.stderr);
    expect([...new Set(JSON.parse(whole.stdout) as string[])]).toEqual([...ASKED_POINTS]);
    for (const point of ASKED_POINTS) {
      const end = await runProcess('asked-turn.process.ts', order(point));
      if (end.signal !== 'SIGKILL') throw new Error(`"${point}" was not reached. ${end.stderr}`);
    }
    store = sqlStore(options);
    await store.open?.();
  });

  afterAll(async () => {
    await store.close?.();
    if (name === 'served PostgreSQL') await dropSchema(schema);
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(ASKED_POINTS)('%s: nothing is lost, and nothing is done twice', async (point) => {
    const sessionId = sessions.get(point) ?? '';
    const stored = (await store.read(sessionId)).map(({ entry }) => entry);
    const { app, agent, asking, asked } = await askingApplication({
      store: new Proxy(store, {
        get: (target, key) => {
          if (key === 'open' || key === 'close') return () => Promise.resolve();
          const value: unknown = Reflect.get(target, key);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }),
      deeds,
      sessionId,
      reached: () => undefined,
      steps: { asking: [], asked: [] },
    });
    try {
      await freed(store, sessionId);
      const last = stored.findLast(({ type }) => type.startsWith('run.'));
      if (last?.type === 'run.parked') {
        asking.push('It is done.');
        asked.push('It is tidy.');
        const { pendingActions } = await agent.run(last.runId, OWNER);
        const actions = pendingActions.map(({ callId }) => ({
          callId,
          type: 'approve' as const,
        }));
        expect((await agent.resolve(last.runId, actions, OWNER)).status).toBe('completed');
      }
      asking.push('Welcome back.');
      const next = await agent.chat({ message: 'And now?', sessionId }, OWNER);
      expect(next).toMatchObject({ status: 'completed', message: 'Welcome back.' });
      const entries = (await store.read(sessionId)).map(({ entry }) => entry);
      expect(entries.slice(0, stored.length)).toEqual(stored);
      const started = entries.filter(({ type }) => type === 'run.started');
      expect(entries.filter(({ type }) => type === 'run.finished')).toHaveLength(started.length);
      expect(entries.filter(({ type }) => type === 'call.settled')).toHaveLength(1);
      const done = readFileSync(deeds, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(sessionId))
        .map((line) => line.slice(sessionId.length + 1));
      expect(new Set(done).size).toBe(done.length);
      if (last?.type === 'run.parked') expect(done).toEqual(['write', 'remove']);
    } finally {
      await app.close();
    }
  });
});

/** Waits until the dead process's lease has run out. */
async function freed(store: SessionStore, sessionId: string): Promise<void> {
  for (;;) {
    const lease = await store.acquire(sessionId, 60_000);
    if (lease !== undefined) return store.release(lease);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
