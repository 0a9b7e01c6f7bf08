import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentEvent } from 'nestjs-agent';
import { newDatabase } from './support/new-database';
import { AgentServer, type Answer } from './support/processes/agent-server.process';

jest.setTimeout(120_000);

describe('a run in an embedded PostgreSQL', () => {
  let folder: string;
  let deeds: string;
  let server: AgentServer;

  // Creating a database takes seconds, so the tests share one.
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-runs-'));
    deeds = join(folder, 'deeds');
    await (await newDatabase(join(folder, 'data'))).close();
  });
  beforeEach(() => writeFileSync(deeds, ''));
  afterEach(() => server.kill());
  afterAll(() => rmSync(folder, { recursive: true }));

  const start = async (onDisconnect?: 'cancel' | 'continue'): Promise<void> => {
    server = await AgentServer.start({
      store: { dataDir: join(folder, 'data') },
      deeds,
      // A killed process is waited for no longer than this.
      leaseMs: 3_000,
      ...(onDisconnect && { onDisconnect }),
    });
  };

  async function ended(runId: string): Promise<Answer> {
    for (;;) {
      const { body } = await server.request('GET', `/agent/runs/${runId}`);
      if (body.status !== 'running') return body;
      await delay(20);
    }
  }

  async function chatOnceFree(message: string, sessionId: string): Promise<Answer> {
    for (;;) {
      const { status, body } = await server.chat(message, sessionId);
      if (status !== 409) return body;
      await delay(20);
    }
  }

  it('is cancelled when its client goes, by default, and keeps what was said', async () => {
    await start();
    const stream = await server.stream('wait');
    const { runId, sessionId } = await stream.next('run.started');
    stream.drop();

    expect(await ended(runId)).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
    const { body } = await server.request('GET', `/agent/sessions/${sessionId}/messages`);
    expect(JSON.stringify(body)).toContain('"partial":true');
    expect(await server.chat('hello', sessionId)).toMatchObject({ status: 200 });
  });

  it("goes on with 'continue', and its events can be read again from any one on", async () => {
    await start('continue');
    const stream = await server.stream('wait, then use write');
    const { runId, sessionId } = await stream.next('run.started');
    const seen = stream.events;
    stream.drop();

    expect(await server.request('GET', `/agent/runs/${runId}`)).toMatchObject({
      body: { status: 'running' },
    });
    expect(await server.chat('hello', sessionId)).toMatchObject({
      status: 409,
      body: { code: 'session_busy' },
    });
    const again = await server.events(runId, seen.at(-1)?.seq);
    await server.go();
    const rest = await again.all();
    expect([...seen, ...rest].map(({ seq }) => seq)).toEqual(
      Array.from({ length: seen.length + rest.length }, (_, index) => index + 1),
    );
    expect(rest.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' });
    expect(await (await server.events(runId)).all()).toEqual([...seen, ...rest]);
    expect(readFileSync(deeds, 'utf8')).toBe('write\n');
  });

  it('tells its stored steps after a restart, those of a run that was killed included', async () => {
    await start('continue');
    const { body: whole } = await server.chat('use write');
    const stream = await server.stream('use linger', whole.sessionId);
    const { runId } = await stream.next('run.started');
    const { seq: heard } = await stream.next('tool.call');
    while (!readFileSync(deeds, 'utf8').includes('linger')) await delay(5);
    await server.kill();
    await start('continue');

    const events = await (await server.events(whole.runId)).all();
    expect(typesOf(events)).toEqual([
      'run.started',
      'step.started',
      'text.delta',
      'step.finished',
      'tool.call',
      'tool.result',
      'step.started',
      'text.delta',
      'text.delta',
      'step.finished',
      'run.finished',
    ]);
    const end = events.at(-1);
    expect(end).toMatchObject({ status: 'completed', message: 'Well. Done.' });
    expect(await (await server.events(whole.runId, (end?.seq ?? 0) - 1)).all()).toEqual([end]);

    // Until the dead process's lease is over nobody can know that it is dead.
    const cutOff = await (await server.events(runId)).all();
    expect(typesOf(cutOff)).toEqual([
      'run.started',
      'step.started',
      'text.delta',
      'step.finished',
      'tool.call',
      'error',
      'run.finished',
    ]);
    expect(cutOff.at(-2)).toMatchObject({ code: 'interrupted' });
    expect(await ended(runId)).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
    // More may have been told than is stored, so counting goes on far above.
    const unheard = await (await server.events(runId, heard)).all();
    expect(unheard).toMatchObject([
      { type: 'error', seq: heard + 1_001 },
      { type: 'run.finished', status: 'failed', seq: heard + 1_002 },
    ]);
    expect(unheard).toEqual(cutOff.slice(-2));

    expect(await chatOnceFree('hello', whole.sessionId)).toMatchObject({ status: 'completed' });
    const settled = await (await server.events(runId)).all();
    expect(settled).toEqual(cutOff);
    const { body: history } = await server.request(
      'GET',
      `/agent/sessions/${whole.sessionId}/messages`,
    );
    expect(JSON.stringify(history)).toContain('outcome is unknown');
    expect(readFileSync(deeds, 'utf8')).toBe('write\nlinger begun\n');
  });

  it.each([
    ['its model speaks', 'wait', ''],
    ['its model heeds nothing', 'never heed', ''],
    ['a tool heeds nothing', 'use linger', 'linger begun\n'],
  ])('is stored as failed on SIGTERM while %s, and the process ends', async (_, message, deed) => {
    await start('continue');
    const stream = await server.stream(message);
    const { runId, sessionId } = await stream.next('run.started');
    while (readFileSync(deeds, 'utf8') !== deed) await delay(5);
    server.signal('SIGTERM');

    const events = await stream.all();
    expect(events.find(({ type }) => type === 'error')).toMatchObject({ code: 'shutdown' });
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'failed' });
    expect(await server.ended()).toEqual({ code: 0, signal: null });

    await start('continue');
    expect(await server.request('GET', `/agent/runs/${runId}`)).toMatchObject({
      body: { status: 'failed' },
    });
    // The lease was given back: nobody has to wait for its end.
    expect(await server.chat('hello', sessionId)).toMatchObject({ status: 200 });
    expect(readFileSync(deeds, 'utf8')).toBe(deed);
  });
});

function typesOf(events: readonly AgentEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}
