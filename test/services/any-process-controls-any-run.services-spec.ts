import type { AgentEvent, ToolDefinition } from 'nestjs-agent';
import { Fleet, LEVELS } from './fleet';

jest.setTimeout(180_000);

const LEASE_MS = 6_000;
/** With Redis, a stop takes no longer; without, it waits for the next renewal. */
const STOPPED_WITHIN_MS = { PostgreSQL: LEASE_MS / 3 + 1_000, 'PostgreSQL and Redis': 250 };
const PAGE_TITLE: ToolDefinition = {
  name: 'page_title',
  description: 'The title of the page',
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
};

describe.each(LEVELS)('three processes on one %s behind a round-robin proxy', (level) => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start(3, { leaseMs: LEASE_MS, runsPerPrincipal: 2, level });
  });

  afterAll(() => fleet.close());

  /** As many at once, each a user's of their own. */
  const forEach = <T>(count: number, act: (user: string) => Promise<T>): Promise<readonly T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => act(`user-${index}`)));

  /** A run that waits for the page, and its call. */
  async function waiting(user: string) {
    const stream = await fleet.stream(user, {
      message: 'use page_title',
      frontendTools: [PAGE_TITLE],
    });
    const { sessionId, runId } = await stream.next('run.started');
    const { callId } = await stream.next('frontend.call');
    return { stream, sessionId, runId, callId };
  }

  const resultOf = (events: readonly AgentEvent[]) =>
    events.find(({ type }) => type === 'tool.result');

  /** A run that is stopped as soon as it speaks, and what everybody is told of its end. */
  async function stopped(user: string) {
    const stream = await fleet.stream(user, { message: 'wait' });
    const { runId } = await stream.next('text.delta');
    const askedAt = performance.now();
    const { body } = await fleet.request(user, 'DELETE', `/runs/${runId}`);
    const tookMs = performance.now() - askedAt;
    const stored = await fleet.request(user, 'GET', `/runs/${runId}`);
    const last = (await stream.all()).at(-1);
    return { told: body.status, stored: stored.body.status, last, tookMs };
  }

  it('stop 60 of 60 runs', async () => {
    for (const { told, stored, last } of await forEach(60, stopped)) {
      expect({ told, stored }).toEqual({ told: 'cancelled', stored: 'cancelled' });
      expect(last).toMatchObject({ type: 'run.finished', status: 'cancelled' });
    }
  });

  it(`stop a run within ${STOPPED_WITHIN_MS[level]} ms`, async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const { told, tookMs } = await stopped('alice');
      expect(told).toBe('cancelled');
      expect(tookMs).toBeLessThan(STOPPED_WITHIN_MS[level]);
    }
  });

  it('remove 30 of 30 sessions whose runs are under way, which are cancelled first', async () => {
    const ends = await forEach(30, async (user) => {
      const stream = await fleet.stream(user, { message: 'wait' });
      const { sessionId } = await stream.next('run.started');
      await stream.next('text.delta');
      const { status } = await fleet.request(user, 'DELETE', `/sessions/${sessionId}`);
      const left = await fleet.request(user, 'GET', `/sessions/${sessionId}/messages`);
      return { status, left: left.status, last: (await stream.all()).at(-1) };
    });
    for (const end of ends) {
      expect(end).toMatchObject({ status: 204, left: 404, last: { status: 'cancelled' } });
    }
  });

  it('stop nobody else’s run', async () => {
    const stream = await fleet.stream('alice', { message: 'wait' });
    const { runId } = await stream.next('text.delta');
    for (let turn = 0; turn < 3; turn += 1) {
      const { status } = await fleet.request('mallory', 'DELETE', `/runs/${runId}`);
      expect(status).toBe(404);
    }
    expect((await fleet.request('alice', 'GET', `/runs/${runId}`)).body.status).toBe('running');
    await fleet.request('alice', 'DELETE', `/runs/${runId}`);
    expect((await stream.all()).at(-1)).toMatchObject({ status: 'cancelled' });
  });

  it('deliver 60 of 60 results of browsers’ tools', async () => {
    const ends = await forEach(60, async (user) => {
      const { stream, sessionId, callId } = await waiting(user);
      const delivery = { sessionId, callId, result: `Orders of ${user}` };
      const { body } = await fleet.request(user, 'POST', '/chat/tool-result', delivery);
      const events = await stream.all();
      return { user, success: body.success, result: resultOf(events), last: events.at(-1) };
    });
    for (const { user, ...end } of ends) {
      expect(end).toMatchObject({
        success: true,
        result: { output: `Orders of ${user}`, isError: false },
        last: { status: 'completed' },
      });
    }
  });

  it('take one of two results for each of 100 calls', async () => {
    const ends = await forEach(100, async (user) => {
      const { stream, sessionId, callId } = await waiting(user);
      const answers = await Promise.all(
        ['first', 'second'].map(async (result) => {
          const delivery = { sessionId, callId, result };
          const { body } = await fleet.request(user, 'POST', '/chat/tool-result', delivery);
          return { result, success: body.success };
        }),
      );
      const taken = answers.filter(({ success }) => success === true);
      return { taken, told: resultOf(await stream.all()) };
    });
    for (const { taken, told } of ends) {
      expect(taken).toHaveLength(1);
      expect(told).toMatchObject({ output: taken[0]?.result, isError: false });
    }
  });

  it('take no result of somebody else, nor for a call that waits for none', async () => {
    const { stream, sessionId, runId, callId } = await waiting('alice');
    const deliver = (user: string, delivery: object) =>
      fleet.request(user, 'POST', '/chat/tool-result', {
        sessionId,
        result: 'forged',
        ...delivery,
      });
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await deliver('mallory', { callId })).status).toBe(404);
      expect((await deliver('alice', { callId: 'call_none' })).body.success).toBe(false);
    }
    expect((await deliver('alice', { callId, result: 'true' })).body.success).toBe(true);
    expect(resultOf(await stream.all())).toMatchObject({ output: 'true' });
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await deliver('alice', { callId })).body.success).toBe(false);
    }
    expect((await fleet.request('alice', 'GET', `/runs/${runId}`)).body.status).toBe('completed');
  });

  it('carry 100 of 100 doubly given approvals out once', async () => {
    await forEach(100, async (user) => {
      const { body: asked } = await fleet.request(user, 'POST', '/chat', { message: 'use remove' });
      const actions = [{ callId: asked.pendingActions[0]?.callId, type: 'approve' }];
      const act = () => fleet.request(user, 'POST', `/runs/${asked.runId}/actions`, { actions });
      const answers = await Promise.all([act(), act()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
    expect(fleet.deeds.filter((deed) => deed === 'remove')).toHaveLength(100);
  });

  it('let two of one user’s runs run at a time, and then the next', async () => {
    for (let round = 0; round < 5; round += 1) {
      const tried = await Promise.all(
        Array.from({ length: 12 }, () => fleet.stream('busy', { message: 'wait' })),
      );
      const begun = tried.filter(({ status }) => status === 200);
      expect(tried.map(({ status }) => status).sort()).toEqual([200, 200, ...Array(10).fill(429)]);
      for (const stream of begun) {
        const { runId } = await stream.next('text.delta');
        await fleet.request('busy', 'DELETE', `/runs/${runId}`);
        await stream.all();
      }
    }
  });

  it('say of a dead process’s run that it failed, whoever is asked to stop it', async () => {
    const another = await fleet.another();
    const stream = await another.stream('wait');
    const { runId } = await stream.next('run.started');
    await another.kill();
    const { body } = await fleet.request('alice', 'DELETE', `/runs/${runId}`);
    expect(body).toMatchObject({ status: 'failed' });
  });

  it('cancel a run that waits for its owner, and leave one that is over as it is', async () => {
    const asked = await fleet.request('alice', 'POST', '/chat', { message: 'use remove' });
    const done = await fleet.request('alice', 'POST', '/chat', { message: 'hello' });
    for (let turn = 0; turn < 3; turn += 1) {
      const cancelled = await fleet.request('alice', 'DELETE', `/runs/${asked.body.runId}`);
      expect(cancelled.body.status).toBe('cancelled');
      const left = await fleet.request('alice', 'DELETE', `/runs/${done.body.runId}`);
      expect(left.body.status).toBe('completed');
    }
  });
});

describe('two processes that give a client time to come back', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start(2, { leaseMs: LEASE_MS, onDisconnect: { graceMs: 2_000 } });
  });

  afterAll(() => fleet.close());

  /** A run whose client has gone, and what it had heard. */
  async function left(message: string) {
    const stream = await fleet.stream('alice', { message });
    const { runId, seq } = await stream.next('text.delta');
    stream.drop();
    return { runId, seq };
  }

  it('cancel a run that nobody reads any more', async () => {
    const { runId } = await left('wait');
    const follower = await fleet.events('alice', runId, 0);
    await follower.next('text.delta');
    follower.drop();
    for (;;) {
      const { body } = await fleet.request('alice', 'GET', `/runs/${runId}`);
      if (body.status === 'running') continue;
      expect(body.status).toBe('cancelled');
      return;
    }
  });

  it('let it go on as long as somebody reads it, at either process', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      const { runId, seq } = await left('say 120 words');
      const follower = await fleet.events('alice', runId, seq);
      expect((await follower.all()).at(-1)).toMatchObject({ status: 'completed' });
      // The next follower meets the other process.
      await fleet.request('alice', 'GET', '/sessions');
    }
  });
});
