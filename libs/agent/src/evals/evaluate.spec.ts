import { defineTool } from '../registry';
import { agentFixture, type AgentFixture } from '../run/fixtures/agent-fixture';
import { Barrier, type ScriptedStep } from '../testing';
import type { EvalFile, EvaluateOptions } from './cases';
import { evaluate } from './evaluate';

let refunded: number[];
let fixture: AgentFixture;

async function start(steps: readonly ScriptedStep[]): Promise<AgentFixture> {
  refunded = [];
  fixture = await agentFixture({ steps, permissions: { refund: 'ask' } });
  fixture.registry.register(
    defineTool({
      name: 'refund',
      description: 'Pays an order back',
      input: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
      execute: (given) => refunded.push((given as { id: number }).id),
    }),
  );
  return fixture;
}
afterEach(() => fixture.module.close());

const refund = (id: number): ScriptedStep => ({ toolCalls: [{ name: 'refund', input: { id } }] });
const ada: EvaluateOptions = { caller: () => ({ principal: 'ada' }), concurrency: 1 };
const asking = (turn: object): EvalFile => ({
  cases: [{ message: 'Pay 17 back', calls: [{ name: 'refund', input: { id: 17 } }], ...turn }],
});

describe('calls that ask for approval', () => {
  it('count as called, run nothing, and cannot be approved afterwards', async () => {
    const { agent } = await start([refund(17)]);
    const summary = await evaluate(agent, asking({}), ada);
    expect(summary).toMatchObject({ passed: true, counts: { passed: 1, failed: 0, skipped: 0 } });
    const [turn] = summary.cases[0]?.attempts[0]?.turns ?? [];
    expect(turn).toMatchObject({ status: 'requires_action', calls: [{ asked: true }] });
    expect(refunded).toEqual([]);
    const run = await agent.run(turn?.runId ?? '', { principal: 'ada' });
    expect(run).toMatchObject({ status: 'cancelled', pendingActions: [] });
  });

  it('run where the case approves them', async () => {
    const { agent } = await start([refund(17), 'Paid.']);
    const file = asking({ approvals: 'approve', answer: 'Paid' });
    expect(await evaluate(agent, file, ada)).toMatchObject({ passed: true });
    expect(refunded).toEqual([17]);
  });

  it('do not run where the model made another call than the approved one', async () => {
    const { agent } = await start([refund(18)]);
    const { passed, cases } = await evaluate(agent, asking({ approvals: 'approve' }), ada);
    expect(passed).toBe(false);
    expect(cases[0]?.attempts[0]?.turns[0]?.problems).toEqual([
      'refund was called with other arguments: /id was 18, expected 17',
      'refund {"id":18} was not approved, for "calls" does not expect it',
    ]);
    expect(refunded).toEqual([]);
  });

  it('are declined where the case rejects them, and the agent goes on', async () => {
    const { agent } = await start([refund(17), 'Then not.']);
    const calls = [{ name: 'refund', asks: true, fails: true }];
    const file = asking({ approvals: 'reject', answer: 'Then not', calls });
    expect(await evaluate(agent, file, ada)).toMatchObject({ passed: true });
    expect(refunded).toEqual([]);
  });
});

describe('an evaluation', () => {
  const hello = (count: number): EvalFile => ({
    cases: Array.from({ length: count }, (_, index) => ({
      name: `case ${index}`,
      message: 'Hi',
      answer: 'Yes',
    })),
  });

  it('repeats each case, and passes it where enough attempts pass', async () => {
    const { agent } = await start(['Yes', 'No', 'Yes', 'Yes', 'No', 'No']);
    const told: string[] = [];
    const attempts: string[] = [];
    const summary = await evaluate(agent, hello(2), {
      ...ada,
      repeat: 3,
      threshold: 0.6,
      onAttempt: (name, { attempt, passed }) => attempts.push(`${name} ${attempt} ${passed}`),
      onCase: ({ name, outcome }) => told.push(`${name} ${outcome}`),
    });
    expect(told).toEqual(['case 0 passed', 'case 1 failed']);
    expect(attempts.slice(0, 3)).toEqual(['case 0 1 true', 'case 0 2 false', 'case 0 3 true']);
    expect(summary).toMatchObject({ passed: false, counts: { passed: 1, failed: 1 }, repeat: 3 });
    expect(summary.cases[0]?.attempts.map(({ passed }) => passed)).toEqual([true, false, true]);
    expect(summary.usage.totalTokens).toBe(6 * 15);
  });

  it('takes the turns of a case in one session, until one is not as expected', async () => {
    const { agent, model } = await start(['One.', 'Two.']);
    const turns = [
      { message: '1?', answer: 'One' },
      { message: '2?', answer: 'Three' },
      { message: '3?' },
    ];
    const { cases } = await evaluate(agent, { cases: [{ turns }] }, ada);
    const taken = cases[0]?.attempts[0]?.turns ?? [];
    expect(taken.map(({ problems }) => problems.length)).toEqual([0, 1]);
    expect(new Set(taken.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(model.requests[1]?.messages).toHaveLength(3);
  });

  it('has as many attempts at the same time as it may', async () => {
    const gates = [new Barrier(), new Barrier(), new Barrier()];
    const { agent, model } = await start(gates.map((gate) => [gate]));
    const done = evaluate(agent, hello(3), { ...ada, concurrency: 2 });
    await Promise.all(gates.slice(0, 2).map(({ reached }) => reached));
    expect(model.requests).toHaveLength(2);
    gates.forEach((gate) => gate.open());
    expect((await done).cases.map(({ name }) => name)).toEqual(['case 0', 'case 1', 'case 2']);
  });

  it('begins no attempt once it cost too much', async () => {
    const { agent, model } = await start(['Yes', 'Yes', 'Yes']);
    const prices = { input: 100_000, output: 200_000 };
    const summary = await evaluate(agent, hello(3), { ...ada, prices, maxCost: 3 });
    // 10 tokens in and 5 out cost 2.
    expect(summary).toMatchObject({ passed: false, cost: 4, counts: { passed: 2, skipped: 1 } });
    expect(model.requests).toHaveLength(2);
  });

  it('fails an attempt that takes too long, and whose run fails, and goes on', async () => {
    const gate = new Barrier();
    const { agent } = await start([[gate], new Error('socket hang up'), 'Yes']);
    const { cases } = await evaluate(agent, hello(3), { ...ada, timeoutMs: 50 });
    expect(cases.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'passed']);
    const errors = cases.map(({ attempts }) => attempts[0]?.error);
    expect(errors[0]).toBe('The attempt took longer than 50 ms.');
    expect(errors[1]).toMatch(/\S/);
    expect(errors[2]).toBeUndefined();
  });

  it('ends with its signal, and says what it left out', async () => {
    const gate = new Barrier();
    const { agent } = await start([[gate]]);
    const aborted = new AbortController();
    const done = evaluate(agent, hello(2), { ...ada, signal: aborted.signal });
    await gate.reached;
    aborted.abort();
    expect(await done).toMatchObject({ passed: false, counts: { failed: 1, skipped: 1 } });
  });

  it('evaluates the cases of a name, and refuses one that there is none of', async () => {
    const { agent } = await start(['Yes']);
    const { cases } = await evaluate(agent, hello(3), { ...ada, filter: 'CASE 1' });
    expect(cases.map(({ name }) => name)).toEqual(['case 1']);
    const none = evaluate(agent, hello(3), { ...ada, filter: 'other' });
    await expect(none).rejects.toThrow('options.filter: no case has "other" in its name');
  });

  it.each<[string, object]>([
    ['options.repeat must be a whole number from 1 to 1000', { repeat: 0 }],
    ['options.threshold must be a number above 0, at most 1', { threshold: 80 }],
    ['options.concurrency must be a whole number from 1 to 1000', { concurrency: Infinity }],
    ['options.maxCost needs the prices of the model', { maxCost: 1 }],
    ['options.prices needs input and output', { prices: { input: 1 } }],
    ['options.repeats is no option; did you mean repeat?', { repeats: 2 }],
  ])('refuses wrong options: %s', async (message, options) => {
    const { agent } = await start([]);
    await expect(evaluate(agent, hello(1), options)).rejects.toThrow(message);
  });
});
