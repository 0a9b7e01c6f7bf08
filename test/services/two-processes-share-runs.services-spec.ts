import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from 'nestjs-agent';
import { AgentServer, type Answer } from '../support/processes/agent-server.process';
import { databaseUrl, dropSchema, newSchemaName, runSql } from './postgres';

const LEASE_MS = 3_000;
jest.setTimeout(300_000);

describe('the runs of two processes on one PostgreSQL', () => {
  const schema = newSchemaName();
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-two-'));
  const deeds = join(folder, 'deeds');
  let first: AgentServer;
  let second: AgentServer;

  const start = (): Promise<AgentServer> => {
    const store = { connectionString: databaseUrl(), schema };
    return AgentServer.start({ store, deeds, leaseMs: LEASE_MS, runsPerPrincipal: 2 });
  };

  beforeAll(async () => {
    [first, second] = await Promise.all([start(), start()]);
  });

  beforeEach(async () => {
    writeFileSync(deeds, '');
    if (!first.isAlive) first = await start();
  });

  afterAll(async () => {
    await Promise.all([first.kill(), second.kill()]);
    await dropSchema(schema);
    rmSync(folder, { recursive: true });
  });

  /** Repeats a message until its session is free; every refusal must be "busy". */
  async function chatOnceFree(message: string, sessionId: string): Promise<Answer> {
    for (;;) {
      const { status, body } = await second.chat(message, sessionId);
      if (status === 200) return body;
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'session_busy' });
      await delay(20);
    }
  }

  async function messagesOf(server: AgentServer, sessionId: string): Promise<readonly Message[]> {
    const { body } = await server.request('GET', `/agent/sessions/${sessionId}/messages`);
    return (body as unknown as { messages?: Message[] }).messages ?? (body as unknown as Message[]);
  }

  async function textsOf(server: AgentServer, sessionId: string): Promise<readonly string[]> {
    const messages = await messagesOf(server, sessionId);
    return messages.flatMap(({ role, content }) =>
      content.map((block) => `${role}: ${block.type === 'text' ? block.text : block.type}`),
    );
  }

  async function leaseEnd(sessionId: string): Promise<string> {
    const [row] = await runSql<{ end: string }>(
      `select lease_until::text as end from ${schema}.agent_sessions where id = $1`,
      [sessionId],
    );
    return row?.end ?? '';
  }

  /** By the database's clock, which decides over leases. */
  async function hasPassed(time: string): Promise<boolean> {
    const [row] = await runSql<{ passed: boolean }>('select now() > $1::timestamptz as passed', [
      time,
    ]);
    return row?.passed === true;
  }

  const done = (): string => readFileSync(deeds, 'utf8');

  it('refuse a second message while the other’s run is under way, and then take it', async () => {
    const stream = await first.stream('wait');
    const { sessionId, runId } = await stream.next('run.started');

    expect(await second.chat('hello', sessionId)).toMatchObject({
      status: 409,
      body: { code: 'session_busy' },
    });
    expect(await second.request('GET', `/agent/runs/${runId}`)).toMatchObject({
      status: 200,
      body: { status: 'running' },
    });
    await first.go();
    expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed' });

    expect(await second.chat('hello', sessionId)).toMatchObject({
      status: 200,
      body: { status: 'completed', sessionId },
    });
    expect(await textsOf(first, sessionId)).toEqual([
      'user: wait',
      'assistant: Well. Done.',
      'user: hello',
      'assistant: Well. Done.',
    ]);
  });

  it('count together: who has two anywhere is refused one more at either', async () => {
    const streams = [await first.stream('wait'), await second.stream('wait')];
    for (const server of [first, second]) {
      const { status, body } = await server.chat('one more');
      expect({ status, code: body.code }).toEqual({ status: 429, code: 'too_many_runs' });
    }
    await first.go();
    expect((await streams[0]?.all())?.at(-1)).toMatchObject({ status: 'completed' });
    expect(await second.chat('one more')).toMatchObject({ status: 200 });
    await second.go();
    expect((await streams[1]?.all())?.at(-1)).toMatchObject({ status: 'completed' });
  });

  it('keep a session longer than its lease, as long as they live', async () => {
    const stream = await first.stream('wait');
    const { sessionId } = await stream.next('run.started');
    const firstEnd = await leaseEnd(sessionId);
    while (!(await hasPassed(firstEnd))) await delay(20);

    expect(await second.chat('hello', sessionId)).toMatchObject({ status: 409 });
    await first.go();
    expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed' });
  });

  it('fence off the one that was paused beyond its lease: it writes and does nothing more', async () => {
    const paused = await first.stream('wait, then use write');
    const { sessionId, runId } = await paused.next('run.started');
    first.signal('SIGSTOP');
    await chatOnceFree('hello', sessionId);
    const going = await second.stream('wait longer', sessionId);
    first.signal('SIGCONT');
    await first.go();

    const events = await paused.all();
    expect(events.find(({ type }) => type === 'error')).toMatchObject({ code: 'lease_lost' });
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'failed' });
    expect(done()).toBe('');
    await second.go();
    expect((await going.all()).at(-1)).toMatchObject({ status: 'completed' });
    expect(await textsOf(second, sessionId)).toEqual([
      'user: wait, then use write',
      'user: hello',
      'assistant: Well. Done.',
      'user: wait longer',
      'assistant: Well. Done.',
    ]);
    for (const server of [first, second]) {
      expect(await server.request('GET', `/agent/runs/${runId}`)).toMatchObject({
        body: { status: 'failed' },
      });
    }
    expect(await first.chat('are you well?', sessionId)).toMatchObject({ status: 200 });
  });

  it('block a dead one’s session for its lease at most', async () => {
    const stream = await first.stream('wait');
    const { sessionId, runId } = await stream.next('run.started');
    await first.kill();
    const [lease] = await runSql<{ left_ms: string }>(
      `select extract(epoch from lease_until - now()) * 1000 as left_ms
       from ${schema}.agent_sessions where id = $1`,
      [sessionId],
    );
    expect(Number(lease?.left_ms)).toBeLessThanOrEqual(LEASE_MS);

    expect(await chatOnceFree('are you there?', sessionId)).toMatchObject({ status: 'completed' });
    expect(await second.request('GET', `/agent/runs/${runId}`)).toMatchObject({
      body: { status: 'failed', stopReason: 'error' },
    });
  });

  it('never repeat a dead one’s write, and say so', async () => {
    const stream = await first.stream('use linger');
    const { sessionId } = await stream.next('run.started');
    await stream.next('tool.call');
    while (done() === '') await delay(5);
    await first.kill();

    await chatOnceFree('what became of it?', sessionId);
    expect(done()).toBe('linger begun\n');
    const results = (await messagesOf(second, sessionId))
      .flatMap(({ content }) => content)
      .filter((block) => block.type === 'tool_result');
    expect(results).toMatchObject([
      { is_error: true, content: expect.stringContaining('outcome is unknown') },
    ]);
  });

  it('carry an approval out once, whichever of them hears of it first', async () => {
    for (let round = 0; round < 5; round += 1) {
      writeFileSync(deeds, '');
      const { body: asked } = await first.chat('use remove');
      expect(asked).toMatchObject({ status: 'requires_action' });
      const actions = [{ callId: asked.pendingActions[0]?.callId, type: 'approve' }];
      const answers = await Promise.all(
        [first, second].map((server) =>
          server.request('POST', `/agent/runs/${asked.runId}/actions`, { actions }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(['session_busy', 'already_resolved']).toContain(refused?.body.code);
      expect(done()).toBe('remove\n');
    }
  });
});
