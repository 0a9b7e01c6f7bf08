import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AgentModule,
  AgentService,
  ToolRegistry,
  type Message,
  type SessionStore,
} from 'nestjs-agent';
import type { RecordedEntry } from 'nestjs-agent/types';
import { sqlStore, type SqlStoreOptions } from 'nestjs-agent/sql';
import { ScriptedModel } from 'nestjs-agent/testing';
import { IS_THOROUGH } from '../failure-rounds';
import { databaseUrl, dropSchema, newSchemaName } from '../postgres';
import { POINTS } from './points';
import { SCENARIOS, type Scenario } from './scenarios';
import { OWNER, QUESTION, registerTools } from './scripted-turn';
import { runTurn } from './turn';

/** A session whose process was killed, as it was left. */
interface Wreck {
  readonly sessionId: string;
  readonly entries: readonly RecordedEntry[];
  /** The saved part of an unfinished answer. */
  readonly draft: RecordedEntry | undefined;
  readonly deeds: readonly string[];
}

/** The stores are tested side by side, each in a file of its own. */
interface StoreUnderTest {
  readonly name: 'served PostgreSQL' | 'embedded PostgreSQL';
  /** The number of processes that can use it at the same time. */
  readonly parallel: number;
  /** Whether a process is killed at a point of a scenario; at every one by default. */
  readonly isKilledAt?: (point: string, scenario: Scenario) => boolean;
}

/** One process after the other is slow; a loaded machine is slower. */
const KILLING_MS = 15 * 60_000;

/** Kills a process at the named points of a turn and checks the stored state. */
export function describeCrashes(store: StoreUnderTest): void {
  // Killed processes hold their sessions until their leases expire.
  jest.setTimeout(60_000);
  describe(`a process killed by SIGKILL, on ${store.name}`, () => crashes(store));
}

function crashes({ name, parallel, isKilledAt = () => true }: StoreUnderTest): void {
  const folder = mkdtempSync(join(tmpdir(), 'agent-crashes-'));
  const schema = newSchemaName();
  const options: SqlStoreOptions =
    name === 'served PostgreSQL'
      ? { connectionString: databaseUrl(), schema }
      : { dataDir: join(folder, 'data') };

  afterAll(async () => {
    if (name === 'served PostgreSQL') await dropSchema(schema);
    rmSync(folder, { recursive: true, force: true });
  });

  const pointsOf = (scenario: Scenario): readonly string[] =>
    (IS_THOROUGH ? allPointsOf(scenario) : distinctPointsOf(scenario)).filter((point) =>
      isKilledAt(point, scenario),
    );

  const killing = SCENARIOS.filter((scenario) => pointsOf(scenario).length > 0);
  describe.each(killing)('$name', (scenario) => {
    const points = pointsOf(scenario);
    const deeds = join(folder, `deeds-${randomUUID()}`);
    const wrecks = new Map<string, Wreck>();
    let passed: readonly string[] = [];
    let store: SessionStore;

    const open = (): SessionStore => sqlStore(options);

    beforeAll(async () => {
      writeFileSync(deeds, '');
      const sessions = new Map([...points, ''].map((point) => [point, `ses_${randomUUID()}`]));
      await prepare(open(), [...sessions.values()], scenario);
      const order = (point: string) => ({
        store: options,
        deeds,
        isCompacting: scenario.isCompacting,
        ...(scenario.isSlow && { isSlow: true }),
        sessionId: sessions.get(point) ?? '',
      });
      const whole = await runTurn(order(''));
      passed = JSON.parse(whole.stdout || '[]') as string[];
      if (whole.stderr !== '') throw new Error(whole.stderr);
      await inParallel(points, parallel, async (point) => {
        const end = await runTurn({ ...order(point), point });
        if (end.signal !== 'SIGKILL') throw new Error(`"${point}" was not reached. ${end.stderr}`);
      });
      store = open();
      await store.open?.();
      const lines = readFileSync(deeds, 'utf8').split('\n');
      for (const point of points) {
        const sessionId = sessions.get(point) ?? '';
        const entries = (await store.read(sessionId)).map(({ entry }) => entry);
        const record = await store.find(sessionId);
        const isCurrent = record?.draft?.after === record?.version;
        wrecks.set(point, {
          sessionId,
          entries,
          draft: isCurrent ? record?.draft?.entry : undefined,
          deeds: lines.filter((line) => line.startsWith(sessionId)),
        });
      }
    }, KILLING_MS);

    afterAll(() => store.close?.());

    it('has a test for every point of the turn', () => {
      // On a busy machine a turn lasts as long as a model that takes its time.
      const isDue = (point: string) => scenario.isSlow === true || !point.includes('renew');
      expect(allPointsOf(scenario)).toEqual(passed.filter(isDue));
    });

    it('leaves what was said of a long answer', () => {
      const drafts = [...wrecks.values()].filter(({ draft }) => draft !== undefined);
      expect(drafts.length > 0).toBe(scenario.isSlow === true);
    });

    it.each(points)('%s: nothing is lost, and nothing is done twice', async (point) => {
      const wreck = wrecks.get(point);
      if (wreck === undefined) throw new Error('The process was not killed.');
      const { sessionId } = wreck;
      const model = new ScriptedModel([]);
      const app = await application(store, model, deeds, sessionId);
      const agent = app.get(AgentService);
      try {
        await freed(store, sessionId);
        const parked = parkedRun(wreck.entries);
        if (parked !== undefined) {
          model.push('It is done.');
          const actions = [{ callId: 'remove_1', type: 'approve' as const }];
          const done = await agent.resolve(parked, actions, OWNER);
          expect(done.status).toBe('completed');
        }
        model.push('Welcome back.');
        const next = await agent.chat({ message: 'And now?', sessionId }, OWNER);
        expect(next).toMatchObject({ status: 'completed', message: 'Welcome back.' });
        model.assertComplete();
        for (const { messages } of model.requests) expect(problemsOf(messages)).toEqual([]);
        const entries = (await store.read(sessionId)).map(({ entry }) => entry);
        expect(entries.slice(0, wreck.entries.length)).toEqual(wreck.entries);
        if (wreck.draft) expect(entries[wreck.entries.length]).toEqual(wreck.draft);
        expect(unfinishedRuns(entries)).toEqual([]);
        expect(questionsIn(entries)).toBe(questionsIn(wreck.entries));
        const done = readFileSync(deeds, 'utf8')
          .split('\n')
          .filter((line) => line.startsWith(sessionId))
          .map((line) => line.slice(sessionId.length + 1));
        expect(done.filter((deed) => deed === 'write').length).toBeLessThanOrEqual(1);
        expect(done.filter((deed) => deed === 'remove').length).toBe(
          parked !== undefined || wreck.deeds.some((line) => line.endsWith('remove')) ? 1 : 0,
        );
      } finally {
        await app.close();
      }
    });
  });
}

function allPointsOf({ name }: Scenario): readonly string[] {
  return POINTS[name] ?? [];
}

/**
 * Where something outside the process differs from the point before, and from a new session: a process
 * that dies between two writes leaves what the earlier one wrote, wherever it dies.
 */
function distinctPointsOf(scenario: Scenario): readonly string[] {
  const points = allPointsOf(scenario);
  const [first, last] = (scenario.own ?? []).map((point) => points.indexOf(point));
  return points
    .slice(first, last === undefined ? undefined : last + 1)
    .filter((point, index) => index === 0 || /^(store|tool) .*, after/.test(point));
}

async function prepare(
  store: SessionStore,
  sessionIds: readonly string[],
  { past }: Scenario,
): Promise<void> {
  await store.open?.();
  for (const id of sessionIds) {
    await store.create({ id, owner: OWNER.principal });
    if (past.length === 0) continue;
    const lease = await store.acquire(id, 60_000);
    if (lease === undefined) throw new Error('A new session is free.');
    // Calls of one run and of the next have ids of their own, and so do runs of two sessions.
    const entries = past.map((entry) =>
      'runId' in entry ? { ...entry, runId: `${entry.runId}_${id}` } : entry,
    );
    await store.append(id, { lease, expectedVersion: 0, entries });
    await store.release(lease);
  }
  await store.close?.();
}

async function application(
  store: SessionStore,
  model: ScriptedModel,
  deeds: string,
  sessionId: string,
): Promise<INestApplicationContext> {
  // The store outlives the application here: it serves the next one too.
  const shared = new Proxy(store, {
    get: (target, key) => {
      if (key === 'open' || key === 'close') return () => Promise.resolve();
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  @Module({
    imports: [
      AgentModule.forRoot({
        path: false,
        model,
        permissions: { remove: 'ask' },
        // Killed runs count against the limit until their leases expire.
        limits: { runsPerPrincipal: 1_000 },
        sessions: { store: shared, expireAfterMs: false, compaction: false },
        audit: { record: () => undefined },
      }),
    ],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  registerTools(app.get(ToolRegistry), deeds, sessionId, () => undefined);
  return app;
}

/** Waits until the dead process's lease has run out. */
async function freed(store: SessionStore, sessionId: string): Promise<void> {
  for (;;) {
    const lease = await store.acquire(sessionId, 60_000);
    if (lease !== undefined) return store.release(lease);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function parkedRun(entries: readonly RecordedEntry[]): string | undefined {
  const last = entries.findLast(({ type }) => type.startsWith('run.'));
  return last?.type === 'run.parked' ? last.runId : undefined;
}

function unfinishedRuns(entries: readonly RecordedEntry[]): readonly string[] {
  const finished = new Set(
    entries.flatMap((entry) => (entry.type === 'run.finished' ? [entry.runId] : [])),
  );
  return entries.flatMap((entry) =>
    entry.type === 'run.started' && !finished.has(entry.runId) ? [entry.runId] : [],
  );
}

function questionsIn(entries: readonly RecordedEntry[]): number {
  return entries.filter(
    (entry) =>
      entry.type === 'message' && JSON.stringify(entry.message).includes(QUESTION.slice(0, -1)),
  ).length;
}

/** The reasons for which a provider would refuse a history. */
function problemsOf(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  messages.forEach((message, index) => {
    const asked = message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const results = (messages[index + 1]?.content ?? []).flatMap((block) =>
      block.type === 'tool_result' ? [block.tool_use_id] : [],
    );
    const isAnswered = message.role !== 'assistant' || asked.join() === results.join();
    if (!isAnswered) problems.push(`calls [${asked.join()}] are answered by [${results.join()}]`);
    if (message.content.length === 0) problems.push(`message ${index} is empty`);
  });
  return problems;
}

async function inParallel<T>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
