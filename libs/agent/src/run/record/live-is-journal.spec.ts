import * as fc from 'fast-check';
import type { AgentEvent, PendingAction } from '../../message';
import type { ChatModel, ModelEvent } from '../../model';
import { defineTool } from '../../registry';
import { memoryStore, numbersOf, type SessionStore } from '../../session';
import type { ChatAction } from '../request/chat-input';
import { agentFixture, type AgentFixture } from '../fixtures/agent-fixture';

const OWNER = { principal: 'alice' };
const USAGE = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const PAGE = {
  name: 'page',
  description: 'In the browser',
  input_schema: { type: 'object' },
} as const;

const PICTURE = {
  type: 'image',
  mediaType: 'image/png',
  data: Buffer.from('89504e470d0a1a0a', 'hex').toString('base64'),
} as const;

/** The kinds of tools, by what happens to their calls. */
const KINDS = [
  'look',
  'write',
  'tell',
  'fail',
  'ask',
  'page',
  'unknown',
  'malformed',
  'stop',
] as const;
type Kind = (typeof KINDS)[number];

interface Step {
  readonly thoughts: readonly string[];
  readonly words: readonly string[];
  /** Content of the answer besides its text. */
  readonly beside: 'source' | 'provider_tool' | 'nothing';
  readonly calls: readonly { readonly kind: Kind; readonly written: string }[];
}

interface Scenario {
  readonly steps: readonly Step[];
  readonly end: 'answer' | 'error' | 'cut off';
  /** The owner's reaction to pending actions, each time in another process. */
  readonly reaction: 'one request' | 'one by one' | 'message' | 'cancel';
  readonly answer: 'approve' | 'edit' | 'reject';
  readonly isCompacted: boolean;
  /** Whether the message has an attachment, which this model cannot read. */
  readonly isAttached: boolean;
  /** Whether the run replaces another one, and whether it is replaced itself. */
  readonly replaces: boolean;
  readonly isReplaced: boolean;
}

const texts = fc.array(fc.string({ unit: 'binary', maxLength: 5 }), { maxLength: 4 });
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  steps: fc.array(
    fc.record({
      thoughts: texts,
      words: texts,
      beside: fc.constantFrom('source', 'provider_tool', 'nothing'),
      calls: fc.array(
        fc.record({
          kind: fc.constantFrom(...KINDS),
          written: fc.constantFrom('{}', '{ }', '{"n'),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    { maxLength: 3 },
  ),
  end: fc.constantFrom('answer', 'answer', 'error', 'cut off'),
  reaction: fc.constantFrom('one request', 'one by one', 'message', 'cancel'),
  answer: fc.constantFrom('approve', 'edit', 'reject'),
  isCompacted: fc.boolean(),
  isAttached: fc.boolean(),
  replaces: fc.boolean(),
  isReplaced: fc.boolean(),
});

/** Continues the scenario in any process. */
class ScenarioModel implements ChatModel {
  readonly name = 'scenario';
  readonly capabilities = { tools: true };
  private next = 0;

  constructor(private readonly scenario: Scenario) {}

  async *stream({ system = '' }: { readonly system?: string }): AsyncGenerator<ModelEvent> {
    await Promise.resolve();
    if (system.includes('condense')) {
      yield { type: 'text.delta', delta: 'They talked.' };
      yield { type: 'finish', reason: 'end_turn', usage: USAGE };
      return;
    }
    const index = this.next;
    this.next += 1;
    const step = this.scenario.steps[index];
    if (step === undefined) yield* this.lastWords();
    else yield* eventsOf(step, index);
  }

  private *lastWords(): Generator<ModelEvent> {
    yield { type: 'text.delta', delta: 'All ' };
    yield { type: 'text.delta', delta: 'done.' };
    if (this.scenario.end === 'error') throw new Error('The line broke.');
    if (this.scenario.end === 'answer') yield { type: 'finish', reason: 'end_turn', usage: USAGE };
  }
}

function* eventsOf({ thoughts, words, beside, calls }: Step, index: number): Generator<ModelEvent> {
  for (const delta of thoughts) yield { type: 'reasoning.delta', delta };
  for (const [at, delta] of words.entries()) {
    yield { type: 'text.delta', delta };
    if (beside === 'source') yield { type: 'source', url: `https://example.com/${index}/${at}` };
    if (beside === 'provider_tool') {
      yield { type: 'provider_tool', id: `p${index}-${at}`, name: 'search', input: { at } };
    }
    const call = calls[at];
    if (call)
      yield { type: 'tool_use.delta', id: `${index}-${at}`, name: call.kind, delta: call.written };
  }
  for (const [at, { kind }] of calls.entries()) {
    const input = {};
    const malformed = kind === 'malformed' && { malformedInput: '{"n' };
    yield { type: 'tool_use', id: `${index}-${at}`, name: kind, input, ...malformed };
  }
  yield { type: 'finish', reason: 'tool_use' };
}

async function process(
  store: SessionStore,
  model: ChatModel,
  stop: () => void,
  isCompacted: boolean,
) {
  const compaction = { thresholdTokens: 600, keepRecentTokens: 60, keepOriginals: true };
  const fixture = await agentFixture({
    store,
    steps: ['Said.', 'Said again.'],
    models: { scenario: model },
    permissions: { ask: 'ask' },
    options: { compaction: isCompacted ? compaction : false },
  });
  const declare = (name: Kind, execute: () => unknown, readOnly = false) =>
    fixture.registry.register(
      defineTool({
        name,
        description: `The tool ${name}`,
        readOnly,
        input: { type: 'object', properties: { n: { type: 'integer' } } },
        execute: (_input, context) => {
          if (name === 'tell') for (const done of [1, 2]) context.emit({ done });
          return execute();
        },
      }),
    );
  declare('look', () => 'seen '.repeat(250), true);
  declare('write', () => 'written');
  declare('tell', () => 'told', true);
  declare('fail', () => Promise.reject(new Error('fail')));
  declare('ask', () => 'allowed');
  declare('stop', stop);
  return fixture;
}

function answerTo({ callId, type }: PendingAction, { answer }: Scenario): ChatAction {
  if (type === 'frontend') return { callId, type: 'result', result: 'seen' };
  if (answer === 'edit') return { callId, type: 'approve', input: { n: 1 } };
  return { callId, type: answer };
}

/** Plays a scenario and returns the events that its live readers received. */
async function play(scenario: Scenario, store: SessionStore) {
  const leave = new AbortController();
  const model = new ScenarioModel(scenario);
  const opened: AgentFixture[] = [];
  const elsewhere = async () => {
    const fixture = await process(store, model, () => leave.abort(), scenario.isCompacted);
    opened.push(fixture);
    return fixture.agent;
  };
  const told: AgentEvent[] = [];
  const hear = async (events: AsyncIterable<AgentEvent>) => {
    for await (const event of events) told.push(event);
  };
  const first = await elsewhere();
  const options = { ...OWNER, signal: leave.signal, frontend: 'park' } as const;
  const before = scenario.replaces ? await first.chat({ message: 'before' }, OWNER) : undefined;
  const input = {
    message: 'go',
    model: 'scenario',
    frontendTools: [PAGE],
    ...(before && { sessionId: before.sessionId, replaceRun: before.runId }),
    ...(scenario.isAttached && { content: [PICTURE] }),
  };
  const { runId, sessionId, events } = await first.start(input, options);
  await hear(events());
  for (;;) {
    const agent = await elsewhere();
    const { status, pendingActions } = await agent.run(runId, OWNER);
    if (status !== 'requires_action') break;
    const answers = pendingActions.map((action) => answerTo(action, scenario));
    const sent = scenario.reaction === 'one by one' ? answers.slice(0, 1) : answers;
    if (scenario.reaction === 'cancel') await agent.cancel(runId, OWNER);
    else if (scenario.reaction === 'message') {
      await agent.chat({ message: 'never mind', sessionId }, OWNER);
    } else {
      const more = { frontendTools: [PAGE], signal: leave.signal };
      await hear((await agent.resume(runId, sent, { ...OWNER, ...more })).events());
    }
  }
  const agent = await elsewhere();
  if (scenario.isReplaced) {
    const instead = agent.chat({ message: 'instead', sessionId, replaceRun: runId }, OWNER);
    // Compaction may have summarized the run by now.
    await instead.catch((error: unknown) =>
      expect(error).toMatchObject({ code: 'run_not_replaceable' }),
    );
  }
  return { runId, sessionId, told, agent, opened };
}

describe('a run', () => {
  it('is told live as it is told from its journal, numbers and content, after any of its events', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const store = memoryStore();
        const { runId, sessionId, told, agent, opened } = await play(scenario, store);
        const read = async (after?: number) => {
          const events: AgentEvent[] = [];
          const claim = { ...OWNER, ...(after !== undefined && { after }) };
          for await (const event of await agent.events(runId, claim)) events.push(event);
          return events;
        };
        const all = await read();
        // The effects of a cancel or a new message on a waiting run had no live reader.
        expect(all.slice(0, told.length)).toEqual(told);
        const isOver = !['message', 'cancel'].includes(scenario.reaction);
        if (isOver) expect(all).toEqual(told);
        expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
        expect(all.at(-1)).toMatchObject({ type: 'run.finished' });
        for (let after = 0; after <= all.length; after += 1) {
          expect(await read(after)).toEqual(all.slice(after));
        }
        const entries = (await store.read(sessionId)).map(({ entry }) => entry);
        const own = entries.filter((entry) => 'runId' in entry && entry.runId === runId);
        expect(own.reduce((sum, entry) => sum + numbersOf(entry), 0)).toBe(all.length);
        for (const { module } of opened) await module.close();
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
