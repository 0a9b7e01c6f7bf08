import { setTimeout as delay } from 'node:timers/promises';
import type { AgentEvent, ToolDefinition } from 'nestjs-agent';
import { IS_THOROUGH, roundsOf } from './failure-rounds';
import { Fleet, LONG_LEASE_MS } from './fleet/fleet';
import { LEVEL_1, LEVELS } from './fleet/topology';

jest.setTimeout(IS_THOROUGH ? 600_000 : 180_000);

const PAGE_TITLE: ToolDefinition = {
  name: 'page_title',
  description: 'The title of the page',
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
};
const STOPS = roundsOf('stops');
const DELIVERIES = roundsOf('deliveries');
const DOUBLES = roundsOf('doubles');

describe.each(LEVELS)('$name behind a round-robin proxy', (topology) => {
  let fleet: Fleet;

  beforeAll(async () => {
    const settings = {
      leaseMs: LONG_LEASE_MS,
      runsPerPrincipal: 2,
      onDisconnect: 'cancel',
    } as const;
    fleet = await Fleet.start(topology, settings);
  });

  afterAll(() => fleet.close());

  /** Runs this many at once, each as a different user. */
  const forEach = <T>(count: number, act: (user: string) => Promise<T>): Promise<readonly T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => act(`user-${index}`)));

  const stream = (user: string, order: string, more: object = {}) =>
    fleet.stream(user, { message: `any: ${order}`, ...more });

  /** With workers, web processes execute nothing. */
  const expectTheirs = (): void => {
    const { webs, workers } = fleet;
    const those = topology.workers > 0 ? workers : webs;
    const speakers = new Set(fleet.of('speaks').map(({ by }) => those.indexOf(by)));
    expect([...speakers].sort()).toEqual(those.map((_, index) => index));
  };

  /** A run that waits for the page, and its call. */
  async function waiting(user: string) {
    const told = await stream(user, 'page_title', { frontendTools: [PAGE_TITLE] });
    const { sessionId, runId } = await told.next('run.started');
    const { callId } = await told.next('frontend.call');
    return { stream: told, sessionId, runId, callId };
  }

  const resultOf = (events: readonly AgentEvent[]) =>
    events.find(({ type }) => type === 'tool.result');

  /** A run that is cancelled at its first text, with the end that each reader receives. */
  async function stopped(user: string) {
    const run = await stream(user, 'wait');
    const { runId } = await run.next('text.delta');
    const { body } = await fleet.request(user, 'DELETE', `/runs/${runId}`);
    const stored = await fleet.request(user, 'GET', `/runs/${runId}`);
    const last = (await run.all()).at(-1);
    return { told: body.status, stored: stored.body.status, last };
  }

  it(`stop ${STOPS} of ${STOPS} runs`, async () => {
    for (const { told, stored, last } of await forEach(STOPS, stopped)) {
      expect({ told, stored }).toEqual({ told: 'cancelled', stored: 'cancelled' });
      expect(last).toMatchObject({ type: 'run.finished', status: 'cancelled' });
    }
    expectTheirs();
  });

  it('remove 10 of 10 sessions whose runs are under way, which are cancelled first', async () => {
    const ends = await forEach(10, async (user) => {
      const run = await stream(user, 'wait');
      const { sessionId } = await run.next('run.started');
      await run.next('text.delta');
      const { status } = await fleet.request(user, 'DELETE', `/sessions/${sessionId}`);
      const left = await fleet.request(user, 'GET', `/sessions/${sessionId}/messages`);
      return { status, left: left.status, last: (await run.all()).at(-1) };
    });
    for (const end of ends) {
      expect(end).toMatchObject({ status: 204, left: 404, last: { status: 'cancelled' } });
    }
  });

  it('stop nobody else’s run', async () => {
    const run = await stream('alice', 'wait');
    const { runId } = await run.next('text.delta');
    for (let turn = 0; turn < 3; turn += 1) {
      const { status } = await fleet.request('mallory', 'DELETE', `/runs/${runId}`);
      expect(status).toBe(404);
    }
    expect((await fleet.request('alice', 'GET', `/runs/${runId}`)).body.status).toBe('running');
    await fleet.request('alice', 'DELETE', `/runs/${runId}`);
    expect((await run.all()).at(-1)).toMatchObject({ status: 'cancelled' });
  });

  it(`deliver ${DELIVERIES} of ${DELIVERIES} results of browsers’ tools`, async () => {
    const ends = await forEach(DELIVERIES, async (user) => {
      const { stream: run, sessionId, callId } = await waiting(user);
      const delivery = { sessionId, callId, result: `Orders of ${user}` };
      const { body } = await fleet.request(user, 'POST', '/chat/tool-result', delivery);
      const events = await run.all();
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

  it(`take one of two results for each of ${DOUBLES} calls`, async () => {
    const ends = await forEach(DOUBLES, async (user) => {
      const { stream: run, sessionId, callId } = await waiting(user);
      const answers = await Promise.all(
        ['first', 'second'].map(async (result) => {
          const delivery = { sessionId, callId, result };
          const { body } = await fleet.request(user, 'POST', '/chat/tool-result', delivery);
          return { result, success: body.success };
        }),
      );
      const taken = answers.filter(({ success }) => success === true);
      return { taken, told: resultOf(await run.all()) };
    });
    for (const { taken, told } of ends) {
      expect(taken).toHaveLength(1);
      expect(told).toMatchObject({ output: taken[0]?.result, isError: false });
    }
  });

  it('take no result of somebody else, nor for a call that waits for none', async () => {
    const { stream: run, sessionId, runId, callId } = await waiting('alice');
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
    expect(resultOf(await run.all())).toMatchObject({ output: 'true' });
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await deliver('alice', { callId })).body.success).toBe(false);
    }
    expect((await fleet.request('alice', 'GET', `/runs/${runId}`)).body.status).toBe('completed');
  });

  it(`carry ${DOUBLES} of ${DOUBLES} doubly given approvals out once`, async () => {
    await forEach(DOUBLES, async (user) => {
      const message = `approved-${user}: remove`;
      const { body: asked } = await fleet.request(user, 'POST', '/chat', { message });
      const actions = [{ callId: asked.pendingActions[0]?.callId, type: 'approve' }];
      const act = () => fleet.request(user, 'POST', `/runs/${asked.runId}/actions`, { actions });
      const answers = await Promise.all([act(), act()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
    const removed = fleet.of('writes', 'approved').map(({ tag }) => tag);
    expect(removed).toHaveLength(DOUBLES);
    expect(new Set(removed).size).toBe(DOUBLES);
  });

  it('let two of one user’s runs run at a time, and then the next', async () => {
    for (let round = 0; round < 3; round += 1) {
      const tried = await Promise.all(Array.from({ length: 12 }, () => stream('busy', 'wait')));
      const begun = tried.filter(({ status }) => status === 200);
      expect(tried.map(({ status }) => status).sort()).toEqual([200, 200, ...Array(10).fill(429)]);
      await Promise.all(
        begun.map(async (run) => {
          const { runId } = await run.next('text.delta');
          await fleet.request('busy', 'DELETE', `/runs/${runId}`);
          await run.all();
        }),
      );
    }
  });

  it('cancel a run that waits for its owner, and leave one that is over as it is', async () => {
    const asked = await fleet.request('alice', 'POST', '/chat', { message: 'any: remove' });
    const done = await fleet.request('alice', 'POST', '/chat', { message: 'any: say 1' });
    for (let turn = 0; turn < 3; turn += 1) {
      const cancelled = await fleet.request('alice', 'DELETE', `/runs/${asked.body.runId}`);
      expect(cancelled.body.status).toBe('cancelled');
      const left = await fleet.request('alice', 'DELETE', `/runs/${done.body.runId}`);
      expect(left.body.status).toBe('completed');
    }
  });

  if (topology.queue) return;

  it('say of a dead process’s run that it failed, whoever is asked to stop it', async () => {
    const another = await fleet.web();
    const run = await fleet.stream('alice', { message: 'any: wait' }, another);
    const { runId } = await run.next('run.started');
    await another.end('SIGKILL');
    const { body } = await fleet.request('alice', 'DELETE', `/runs/${runId}`);
    expect(body).toMatchObject({ status: 'failed' });
  });
});

describe('processes that give a client time to come back', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start(
      { ...LEVEL_1, webs: 2 },
      { leaseMs: LONG_LEASE_MS, onDisconnect: { graceMs: 2_000 } },
    );
  });

  afterAll(() => fleet.close());

  /** A run whose client disconnected, with the events it had received. */
  async function left(message: string) {
    const stream = await fleet.stream('alice', { message });
    const { runId, seq } = await stream.next('text.delta');
    stream.drop();
    return { runId, seq };
  }

  it('cancel a run that nobody reads any more', async () => {
    const { runId } = await left('any: wait');
    const follower = await fleet.events('alice', runId, 0);
    await follower.next('text.delta');
    follower.drop();
    for (;;) {
      const { body } = await fleet.request('alice', 'GET', `/runs/${runId}`);
      if (body.status !== 'running') return expect(body.status).toBe('cancelled');
      await delay(50);
    }
  });

  it('let it go on as long as somebody reads it, at either process', async () => {
    await Promise.all(
      fleet.webs.map(async (web) => {
        const { runId, seq } = await left('any: say 400');
        const follower = await fleet.events('alice', runId, seq, web);
        expect((await follower.all()).at(-1)).toMatchObject({ status: 'completed' });
      }),
    );
  });
});
