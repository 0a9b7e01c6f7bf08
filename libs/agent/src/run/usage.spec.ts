import { addUsage, NO_USAGE } from '../message';
import { memoryStore } from '../session';
import { defineTool } from '../registry';
import { agentFixture } from './fixtures/agent-fixture';
import { Barrier, ScriptedModel } from '../testing';
import { UsageService, type UsageTotals } from './api';

const MINUTE_MS = 60_000;
const call = { toolCalls: [{ name: 'look', input: {} }] };

describe('usage of principals', () => {
  afterEach(() => jest.useRealTimers());

  const start = async (options: Parameters<typeof agentFixture>[0]) => {
    const fixture = await agentFixture(options);
    fixture.registry.register(
      defineTool({ name: 'look', description: 'Looks.', execute: () => 'seen' }),
    );
    const usage = fixture.module.get(UsageService);
    const span = () => ({
      from: new Date(Date.now() - MINUTE_MS),
      to: new Date(Date.now() + MINUTE_MS),
    });
    return { ...fixture, usage, span };
  };

  it('is the usage of their runs, also of stateless and failed ones', async () => {
    const { agent, usage, span } = await start({
      steps: [call, 'Hi', 'Again', new Error('x'), 'Done'],
    });
    const owner = { principal: 'alice' };
    const runs = [
      await agent.chat({ message: 'Look' }, owner),
      await agent.chat({ message: 'More' }, owner),
      await agent.chat({ message: 'Fail' }, owner),
      await (
        await agent.complete(
          { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
          owner,
        )
      ).finished,
    ];
    expect(runs.map(({ status }) => status)).toEqual([
      'completed',
      'completed',
      'failed',
      'completed',
    ]);
    const sum = runs.reduce((total, run) => addUsage(total, run.usage), NO_USAGE);
    expect(sum.totalTokens).toBeGreaterThan(0);
    const rows = await usage.totals({ ...span(), by: ['principal', 'agent', 'day'] });
    const day = new Date().toISOString().slice(0, 10);
    expect(rows).toEqual([
      { principal: 'alice', agent: 'agent', day, usage: sum, runs: 4, toolCalls: 1 },
    ]);
    expect(await usage.totals({ ...span(), by: [], principal: 'bob' })).toEqual([]);
  });

  it('has the answers that a caller broke off, which providers bill as well', async () => {
    const asked = new Barrier();
    const { agent, usage, span } = await start({
      steps: [[{ type: 'text.delta', delta: 'word '.repeat(300) }, asked]],
    });
    const run = await agent.start({ message: 'Tell me all.' }, { principal: 'alice' });
    await asked.reached;
    run.cancel();
    const ended = await run.finished;
    expect(ended).toMatchObject({ status: 'cancelled', usage: { outputTokens: 500 } });
    const rows = await usage.totals({ ...span(), by: ['principal'] });
    expect(rows).toMatchObject([{ principal: 'alice', usage: ended.usage }]);
  });

  it('has a cost where every model has a price', async () => {
    const cost = { max: 100, prices: { scripted: { input: 1_000_000, output: 1_000_000 } } };
    const { agent, usage, span, model } = await start({
      steps: ['Hi'],
      options: { budget: { cost } },
    });
    expect(model.name).toBe('scripted');
    const { usage: used } = await agent.chat({ message: 'Hi' });
    const [row] = await usage.totals({ ...span(), by: ['model'] });
    expect(row).toMatchObject({ model: 'scripted', cost: used.totalTokens });
  });

  it('is the sum of random runs over days, by every combination', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'],
      now: 1_800_000_000_000,
    });
    const small = new ScriptedModel([], { name: 'small' });
    const { agent, usage, model } = await start({ models: { small } });
    const random = seeded(7);
    const ran: UsageTotals[] = [];
    for (let time = 0; time < 40; time += 1) {
      const principal = ['alice', 'bob', undefined][random(3)];
      const asked = random(2) === 0 ? small : model;
      const calls = random(3);
      asked.push(...Array.from({ length: calls }, () => call), 'Done');
      const run = await agent.chat(
        { message: 'Go', ...(asked === small && { model: 'small' }) },
        principal === undefined ? {} : { principal },
      );
      ran.push({
        ...(principal !== undefined && { principal }),
        agent: 'agent',
        model: asked.name,
        day: new Date().toISOString().slice(0, 10),
        usage: run.usage,
        runs: 1,
        toolCalls: calls,
      });
      jest.setSystemTime(Date.now() + random(12) * 60 * MINUTE_MS);
    }
    const [from, to] = [new Date(1_799_999_000_000), new Date(Date.now() + MINUTE_MS)];
    const groups = ['principal', 'agent', 'model', 'day'] as const;
    for (let set = 0; set < 2 ** groups.length; set += 1) {
      const by = groups.filter((_group, index) => (set & (2 ** index)) !== 0);
      const keyOf = (row: UsageTotals) => JSON.stringify(by.map((group) => row[group] ?? null));
      const expected = new Map<string, object>();
      for (const row of ran) {
        const known = expected.get(keyOf(row)) as UsageTotals | undefined;
        expected.set(keyOf(row), {
          usage: addUsage(known?.usage ?? NO_USAGE, row.usage),
          runs: (known?.runs ?? 0) + 1,
          toolCalls: (known?.toolCalls ?? 0) + row.toolCalls,
        });
      }
      const rows = await usage.totals({ from, to, by });
      const told = rows.map(({ usage: used, runs, toolCalls, ...group }) => [
        keyOf({ usage: used, runs, toolCalls, ...group }),
        { usage: used, runs, toolCalls },
      ]);
      expect(Object.fromEntries(told)).toEqual(Object.fromEntries(expected));
      expect(rows).toHaveLength(expected.size);
    }
    const days = new Set(ran.map(({ day }) => day));
    expect(days.size).toBeGreaterThan(5);
  });

  it('counts against a budget of money what was spent before a wait', async () => {
    const prices = { scripted: { input: 1_000_000, output: 1_000_000 } };
    const { agent, registry, model } = await start({
      steps: [
        { toolCalls: [{ id: 'c1', name: 'look', input: {} }] },
        { toolCalls: [{ id: 'c2', name: 'see', input: {} }] },
        'Never',
      ],
      // One model call costs 15.
      options: { budget: { cost: { max: 20, prices } } },
      permissions: { look: 'ask' },
    });
    registry.register(
      defineTool({ name: 'see', description: 'Sees.', readOnly: true, execute: () => 'seen' }),
    );
    const owner = { principal: 'alice' };
    const parked = await agent.chat({ message: 'Look' }, owner);
    expect(parked).toMatchObject({ status: 'requires_action', usage: { totalTokens: 15 } });
    const going = await agent.resume(parked.runId, [{ callId: 'c1', type: 'approve' }], owner);
    const ended = await going.finished;
    expect(ended).toMatchObject({
      status: 'completed',
      stopReason: 'budget',
      usage: { totalTokens: 30 },
    });
    expect(model.requests).toHaveLength(2);
  });

  it('refuses a start above the quota until the window has passed', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'],
      now: 1_800_000_000_000,
    });
    const quota = { tokens: 1, windowMs: 10 * MINUTE_MS };
    const { agent } = await start({
      steps: ['Hi', 'Anyone', 'Back'],
      options: { tokensPerPrincipal: quota },
    });
    await agent.chat({ message: 'Hi' }, { principal: 'alice' });
    const refused = await agent
      .chat({ message: 'Hi' }, { principal: 'alice' })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'quota_exceeded', retryAfterMs: 11 * MINUTE_MS });
    const completion = agent.complete({ messages: [] }, { principal: 'alice' });
    await expect(completion).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect((await agent.chat({ message: 'Hi' })).message).toBe('Anyone');
    jest.setSystemTime(1_800_000_000_000 + 11 * MINUTE_MS);
    expect((await agent.chat({ message: 'Hi' }, { principal: 'alice' })).message).toBe('Back');
  });

  it('ends a run between its steps', async () => {
    const quota = { tokens: 1, windowMs: MINUTE_MS };
    const { agent, model, sessions } = await start({
      steps: [call, 'Never'],
      options: { tokensPerPrincipal: quota },
    });
    const owner = { principal: 'alice' };
    const run = await agent.chat({ message: 'Look' }, owner);
    expect(run).toMatchObject({
      status: 'failed',
      error: { code: 'quota_exceeded', httpStatus: 429 },
    });
    expect(model.requests).toHaveLength(1);
    const transcript = await sessions.transcript(run.sessionId, owner);
    expect(transcript.flatMap(({ content }) => content.map(({ type }) => type))).toEqual([
      'text',
      'tool_use',
      'tool_result',
    ]);
  });

  it.each([NaN, 0])('is never allowed by a quota of %s', async (limit) => {
    const prices = { scripted: { input: 1, output: 1 } };
    const options = { costPerPrincipal: { max: limit, windowMs: MINUTE_MS, prices } };
    const { agent } = await start({ options });
    const refused = agent.chat({ message: 'Hi' }, { principal: 'alice' });
    await expect(refused).rejects.toMatchObject({
      code: 'quota_exceeded',
      retryAfterMs: MINUTE_MS,
    });
  });

  it('is no part of a store without a ledger, which limits need', async () => {
    const store = Object.assign(Object.create(memoryStore()) as ReturnType<typeof memoryStore>, {
      usage: undefined,
    });
    const { usage, span } = await start({ store: store });
    await expect(usage.totals({ ...span(), by: [] })).rejects.toMatchObject({
      code: 'usage_not_kept',
    });
    const options = { tokensPerPrincipal: { tokens: 1, windowMs: 1 } };
    await expect(start({ store: store, options })).rejects.toThrow(/no method usage\(\)/);
  });

  it('stops the boot where a model has no price', async () => {
    const options = { costPerPrincipal: { max: 1, windowMs: 1, prices: {} } };
    await expect(start({ options })).rejects.toThrow(/prices must have the model "scripted"/);
  });

  it('refuses queries that mean nothing', async () => {
    const { usage, span } = await start({});
    const from = new Date(NaN);
    await expect(usage.totals({ ...span(), from, by: [] })).rejects.toThrow(/valid dates/);
    await expect(usage.totals({ from: new Date(2), to: new Date(1), by: [] })).rejects.toThrow(
      /before/,
    );
    await expect(usage.totals({ ...span(), by: ['week'] as never })).rejects.toThrow(/by must be/);
  });
});

/** Pseudo-random integers below a limit, the same in every test run. */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
