import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentEvent } from 'nestjs-agent';
import { SseStream } from '../http/sse-client';
import { AgentServer } from '../support/processes/agent-server.process';
import { busOf, LEVELS } from './fleet';
import { databaseUrl, dropSchema, newSchemaName } from './postgres';

const LEASE_MS = 10_000;
const READERS = 60;
/** What the model says before it waits, after its tool, and at its end. */
const WHOLE_TEXT = 'Well.Well. Done.';
jest.setTimeout(180_000);

/** Three processes, asked in turn. */
describe.each(LEVELS)('on %s, a reader who comes back to another process', (level) => {
  const schema = newSchemaName();
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-readers-'));
  const deeds = join(folder, 'deeds');
  let servers: AgentServer[];

  beforeEach(async () => {
    writeFileSync(deeds, '');
    const store = { connectionString: databaseUrl(), schema };
    const onDisconnect = 'continue' as const;
    const bus = busOf(level, schema);
    const settings = { store, deeds, leaseMs: LEASE_MS, onDisconnect, ...bus };
    servers = await Promise.all([1, 2, 3].map(() => AgentServer.start(settings)));
  });
  afterEach(() => Promise.all(servers.map((server) => server.kill())));
  afterAll(async () => {
    await dropSchema(schema);
    rmSync(folder, { recursive: true });
  });

  const urlOf = (turn: number): string => servers[turn % servers.length]?.url ?? '';
  const authorized = (user: string) => ({ authorization: `Bearer ${user}` });
  const textOf = (events: readonly AgentEvent[]): string =>
    events.map((event) => (event.type === 'text.delta' ? event.delta : '')).join('');
  const letGoOn = (): Promise<unknown> => Promise.all(servers.map((server) => server.go()));

  function eventsAt(turn: number, user: string, runId: string, after: number): Promise<SseStream> {
    return SseStream.open(`${urlOf(turn)}/agent/runs/${runId}/events`, {
      headers: { ...authorized(user), 'last-event-id': String(after) },
    });
  }

  /** A stream whose reader has left after so many events. */
  async function left(turn: number, user: string, heardOf: AgentEvent['type']) {
    const stream = await SseStream.open(`${urlOf(turn)}/agent/chat/stream`, {
      headers: authorized(user),
      body: { message: 'wait, then use write' },
    });
    const { runId, sessionId } = await stream.next('run.started');
    await stream.next(heardOf);
    const heard = [...stream.events];
    stream.drop();
    return { runId, sessionId, heard };
  }

  it('hears the whole text and nothing twice, 60 of 60, and 204 once nothing follows', async () => {
    const users = Array.from({ length: READERS }, (_, index) => `user-${index}`);
    const begun = await Promise.all(
      users.map((user, index) => left(index, user, index % 2 ? 'text.delta' : 'run.started')),
    );
    const streams = await Promise.all(
      begun.map(({ runId, heard }, index) =>
        eventsAt(index + 1 + (index % 2), users[index] ?? '', runId, heard.at(-1)?.seq ?? 0),
      ),
    );
    // Some begin to read while the model waits, some only once it is over.
    await delay(1_500);
    await letGoOn();
    const rests = await Promise.all(streams.map((stream) => stream.all()));
    const wholes = begun.map(({ heard }, index) => [...heard, ...(rests[index] ?? [])]);
    const ends = wholes.map((whole) => ({ text: textOf(whole), end: whole.slice(-2) }));
    const end = { type: 'run.finished', status: 'completed' };
    expect(ends).toMatchObject(users.map(() => ({ text: WHOLE_TEXT, end: [{}, end] })));
    for (const whole of wholes) {
      expect(whole.map(({ seq }) => seq)).toEqual(whole.map((_, index) => index + 1));
    }
    const again = await Promise.all(
      begun.flatMap(({ runId }, index) =>
        servers.map(async (_server, turn) => {
          const last = wholes[index]?.length ?? 0;
          const [over, whole] = await Promise.all([
            eventsAt(turn, users[index] ?? '', runId, last),
            eventsAt(turn, users[index] ?? '', runId, 0),
          ]);
          return { status: over.status, isSame: (await whole.all()).length === last };
        }),
      ),
    );
    expect(again).toEqual(again.map(() => ({ status: 204, isSame: true })));
  });

  it('hears 204 for a waiting run it knows all of, and what goes on of it elsewhere', async () => {
    const stream = await SseStream.open(`${urlOf(0)}/agent/chat/stream`, {
      headers: authorized('alice'),
      body: { message: 'use remove' },
    });
    const before = await stream.all();
    const { runId } = before[0] ?? { runId: '' };
    for (const turn of [0, 1, 2]) {
      expect((await eventsAt(turn, 'alice', runId, before.length)).status).toBe(204);
    }
    const approved = await SseStream.open(`${urlOf(1)}/agent/runs/${runId}/actions`, {
      headers: authorized('alice'),
      body: { actions: [{ callId: callOf(before), type: 'approve' }] },
    });
    const after = await approved.all();
    for (const turn of [0, 1, 2]) {
      const rest = await (await eventsAt(turn, 'alice', runId, before.length)).all();
      expect(rest).toEqual(after);
      expect((await eventsAt(turn, 'alice', runId, after.at(-1)?.seq ?? 0)).status).toBe(204);
    }
  });

  it('is told of a dead process’s run as failed, and stands in nobody’s way', async () => {
    const { runId, sessionId, heard } = await left(0, 'alice', 'text.delta');
    await servers[0]?.kill();
    const rest = await (await eventsAt(1, 'alice', runId, heard.length)).all();
    expect(rest.slice(-2)).toMatchObject([
      { type: 'error', code: 'interrupted' },
      { type: 'run.finished', status: 'failed' },
    ]);
    const ask = async (path: string) => {
      const response = await fetch(`${urlOf(2)}/agent/${path}`, { headers: authorized('alice') });
      return await response.json();
    };
    expect(await ask(`runs/${runId}`)).toMatchObject({ status: 'failed' });
    const listed = JSON.stringify(await ask('sessions'));
    expect(listed).toContain(`{"runId":"${runId}","status":"failed"}`);
    // Looking takes no lease: whoever writes beside it is not refused.
    for (let turn = 0; turn < 20; turn += 1) {
      const [, answer] = await Promise.all([
        Promise.all(Array.from({ length: 5 }, () => ask(`runs/${runId}`))),
        fetch(`${urlOf(1)}/agent/chat`, {
          method: 'POST',
          headers: { ...authorized('alice'), 'content-type': 'application/json' },
          body: JSON.stringify({ message: 'hello', sessionId }),
        }),
      ]);
      expect(answer.status).toBe(200);
    }
    expect(await (await eventsAt(1, 'alice', runId, heard.length)).all()).toEqual(rest);
  });
});

function callOf(events: readonly AgentEvent[]): string {
  const asked = events.find(({ type }) => type === 'approval.required');
  if (asked?.type !== 'approval.required') throw new Error('Nothing waits for an approval.');
  return asked.callId;
}
