import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatResult, Message } from 'nestjs-agent';
import { entryOf, Program } from './support/demo/program';
import { DemoProgram } from './support/demo/demo-program';
import { freePort } from './support/free-port';
import { newDatabase } from './support/new-database';

const DELETE = 'delete application legacy-reports';

describe('the demo, started again on the folder of its sessions', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'nestjs-agent-demo-'));
  const entry = entryOf('demo');
  let demo: DemoProgram;
  beforeAll(async () => {
    await (await newDatabase(join(DATA_DIR, 'sessions'))).close();
    demo = await DemoProgram.start(entry, { DATA_DIR });
  });
  afterAll(async () => {
    await demo.program.stop();
    rmSync(DATA_DIR, { recursive: true });
  });

  async function killAndStartAgain(): Promise<void> {
    demo.program.signal('SIGKILL');
    expect(await demo.program.ended()).toMatchObject({ signal: 'SIGKILL' });
    demo = await DemoProgram.start(entry, { DATA_DIR });
  }

  it('goes on with an approval that waited while it was killed, and deletes once', async () => {
    const application = async () =>
      demo.request('GET', '/applications/legacy-reports', { token: await demo.login('bob') });
    const approve = async (as: string, { runId, pendingActions }: ChatResult) =>
      demo.request<ChatResult>('POST', `/agent/runs/${runId}/actions`, {
        token: await demo.login(as),
        body: { actions: [{ callId: pendingActions[0]?.callId, type: 'approve' }] },
      });
    const asked = await demo.chat(await demo.login('bob'), DELETE);
    expect(asked).toMatchObject({ status: 'requires_action' });

    await killAndStartAgain();

    expect(await application()).toMatchObject({ status: 200 });
    const token = await demo.login('bob');
    expect(await demo.request('GET', `/agent/runs/${asked.runId}`, { token })).toMatchObject({
      status: 200,
      body: { status: 'requires_action', pendingActions: asked.pendingActions },
    });
    expect(await approve('alice', asked)).toMatchObject({ status: 404 });
    const done = await approve('bob', asked);
    expect(done).toMatchObject({
      status: 200,
      body: { runId: asked.runId, sessionId: asked.sessionId, status: 'completed' },
    });
    expect(done.body.toolCalls).toMatchObject([{ name: 'delete_application', isError: false }]);
    expect(await application()).toMatchObject({ status: 404 });
    // A second delete would say that there is no such application.
    expect(await approve('bob', asked)).toMatchObject({
      status: 409,
      body: { code: 'already_resolved' },
    });
    const messages = await demo.request<{ messages: Message[] } | Message[]>(
      'GET',
      `/agent/sessions/${asked.sessionId}/messages`,
      { token },
    );
    const listed = Array.isArray(messages.body) ? messages.body : messages.body.messages;
    const results = listed
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'tool_result');
    expect(results).toMatchObject([{ is_error: false }]);
  });

  it('still knows the conversation, its owner, and the steps of its runs', async () => {
    const token = await demo.login('alice');
    const before = await demo.chat(token, 'add 2 and 40');
    const told = await demo.events(token, before.runId);

    await killAndStartAgain();

    const [alice, bob] = [await demo.login('alice'), await demo.login('bob')];
    const path = `/agent/sessions/${before.sessionId}/messages`;
    expect(await demo.request('GET', path, { token: bob })).toMatchObject({ status: 404 });
    const kept = await demo.request('GET', path, { token: alice });
    expect(JSON.stringify(kept.body)).toContain('add 2 and 40');
    const events = await demo.events(alice, before.runId);
    expect(events).toEqual(told);
    expect(events.at(-1)).toMatchObject({ status: 'completed', message: before.message });
    const after = await demo.chat(alice, 'add 3 and 4', before.sessionId);
    expect(after).toMatchObject({ status: 'completed', sessionId: before.sessionId });
  });

  it('says that another demo has the folder, and how both can run', async () => {
    const PORT = String(await freePort());
    const second = await Program.start(entry, [], { DATA_DIR, PORT }).ended();

    expect(second.code).toBe(1);
    expect(second.stderr).toContain(join(DATA_DIR, 'sessions'));
    expect(second.stderr).toMatch(/is open already/);
    expect(second.stderr).toMatch(/DATA_DIR=\S+ PORT=\d+ npm start/);
    expect(second.stderr).toMatch(/DATABASE_URL=\S+ PORT=\d+ npm start/);
    expect(second.stderr).not.toMatch(/^ +at /m);
    expect(await demo.request('GET', '/agent/health')).toMatchObject({ status: 200 });
  });

  it('ends by itself on SIGTERM, and leaves the folder to the next', async () => {
    const token = await demo.login('alice');
    const { sessionId } = await demo.chat(token, 'add 1 and 1');
    demo.program.signal('SIGTERM');
    expect(await demo.program.ended()).toMatchObject({ code: 0, stderr: '' });

    demo = await DemoProgram.start(entry, { DATA_DIR });

    const next = await demo.chat(await demo.login('alice'), 'add 2 and 2', sessionId);
    expect(next).toMatchObject({ status: 'completed', sessionId });
  });
});
