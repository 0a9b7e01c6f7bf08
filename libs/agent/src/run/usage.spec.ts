import { addUsage, NO_USAGE } from '../message';
import { memoryStore } from '../session';
import { defineTool } from '../registry';
import { agentFixture } from './fixtures/agent-fixture';
import { UsageService } from './api';

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
