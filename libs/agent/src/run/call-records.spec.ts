import * as fc from 'fast-check';
import type { AuditRecord } from '../invocation';
import { argumentsDigest } from '../invocation/audit/call.recorder';
import { toolUsesOf, type Message, type ToolResultBlock, type ToolUseBlock } from '../message';
import { defineTool } from '../registry';
import { problemsOf } from '../session/record/fixtures/valid-history';
import type { ScriptedToolCall } from '../testing';
import type { ChatAction } from './request/chat-input';
import type { ChatResult } from './request/chat-result';
import { agentFixture, type AgentFixture } from './fixtures/agent-fixture';

const OWNER = { principal: 'alice' };
const TIMEOUT_MS = 50;
const APPROVAL_MS = 3_600_000;

/** The kinds of tools, by what happens to their calls. */
const KINDS = [
  'ok',
  'safe',
  'fail',
  'hang',
  'deny',
  'ask_approve',
  'ask_reject',
  'ask_edit',
  'ask_misedit',
  'ask_late',
  'page',
  'page_late',
  'same',
  'stop',
  'unknown',
  'malformed',
  'wrong',
] as const;
type Kind = (typeof KINDS)[number];

interface Scenario {
  readonly steps: readonly (readonly Kind[])[];
  readonly maxCalls: number | undefined;
  /** The owner's reaction to pending actions. */
  readonly reaction: 'one request' | 'one by one' | 'message' | 'cancel';
}

const steps = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 5 }) },
  { weight: 1, arbitrary: fc.constant<Kind[]>(['same', 'same', 'same', 'same', 'same', 'ok']) },
);
const scenarios = fc.record<Scenario>({
  steps: fc.array(steps, { minLength: 1, maxLength: 3 }),
  maxCalls: fc.option(fc.nat({ max: 8 }), { nil: undefined }),
  reaction: fc.constantFrom('one request', 'one by one', 'message', 'cancel'),
});

const input = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const;

function scriptedCall(kind: Kind, n: number): ScriptedToolCall {
  const id = `${kind}-${n}`;
  switch (kind) {
    case 'malformed':
      return { id, name: 'ok', malformedInput: `{${n}` };
    case 'wrong':
      return { id, name: 'ok', input: { n: 'x' } };
    case 'same':
      return { id, name: 'ok', input: { n: 0 } };
    default:
      return { id, name: kind, input: { n } };
  }
}

function registerTools({ registry }: AgentFixture, stop: () => void): void {
  const bodies: Partial<Record<Kind, () => unknown>> = {
    fail: () => Promise.reject(new Error('fail')),
    hang: () => new Promise(() => undefined),
    stop,
  };
  const names: readonly Kind[] = KINDS.slice(0, KINDS.indexOf('page'));
  for (const name of [...names, 'stop'] as const) {
    registry.register(
      defineTool({
        name,
        description: `The tool ${name}`,
        input,
        concurrencySafe: name === 'safe' || name === 'hang',
        timeoutMs: TIMEOUT_MS,
        ...(name === 'deny' && { permission: () => 'deny' }),
        execute: bodies[name] ?? (() => 'ok'),
      }),
    );
  }
}

function answerTo({ callId, name, type }: ChatResult['pendingActions'][number]): ChatAction {
  if (type === 'frontend') return { callId, type: 'result', result: 'seen' };
  if (name === 'ask_reject') return { callId, type: 'reject' };
  return { callId, type: 'approve', ...(name === 'ask_edit' && { input: { n: -1 } }) };
}

/** As `agent.resolve`; a late answer is refused after its call is settled. */
async function resolve(
  agent: AgentFixture['agent'],
  runId: string,
  answers: readonly ChatAction[],
): Promise<ChatResult> {
  try {
    return await agent.resolve(runId, answers, OWNER);
  } catch (error) {
    expect(error).toMatchObject({ code: 'expired' });
    return agent.run(runId, OWNER);
  }
}

/** Answers pending actions until there are none. */
async function react(
  { agent }: AgentFixture,
  started: ChatResult,
  { reaction }: Scenario,
): Promise<void> {
  const { sessionId } = started;
  let waiting = started;
  while (waiting.status === 'requires_action') {
    const { pendingActions, runId } = waiting;
    for (const { callId, name, expiresAt } of pendingActions) {
      if (name !== 'ask_misedit' || Date.parse(expiresAt) <= Date.now()) continue;
      const wrong = agent.resolve(runId, [{ callId, type: 'approve', input: { n: 'x' } }], OWNER);
      await expect(wrong).rejects.toMatchObject({ code: 'invalid_input' });
    }
    if (pendingActions.some(({ name }) => name.endsWith('_late'))) {
      jest.setSystemTime(Date.now() + APPROVAL_MS);
    }
    const answers = pendingActions.map(answerTo).reverse();
    const [first] = answers;
    switch (reaction) {
      case 'one request':
        waiting = await resolve(agent, runId, answers);
        break;
      case 'one by one':
        waiting = await resolve(agent, runId, first ? [first] : []);
        break;
      case 'message':
        if (first && answers.length > 1) await resolve(agent, runId, [first]);
        waiting = await agent.chat({ message: 'on', sessionId }, OWNER);
        break;
      case 'cancel':
        if (first && answers.length > 1) await resolve(agent, runId, [first]);
        waiting = await agent.cancel(runId, OWNER);
        break;
    }
  }
}

async function play(scenario: Scenario): Promise<{
  readonly records: readonly AuditRecord[];
  readonly messages: readonly Message[];
}> {
  const records: AuditRecord[] = [];
  let n = 0;
  const leave = new AbortController();
  const fixture = await agentFixture({
    steps: [
      ...scenario.steps.map((kinds) => ({
        toolCalls: kinds.map((kind) => scriptedCall(kind, (n += 1))),
      })),
      ...Array.from({ length: 4 }, () => 'Done.'),
    ],
    options: {
      actionTimeoutMs: APPROVAL_MS,
      budget: scenario.maxCalls === undefined ? {} : { toolCalls: scenario.maxCalls },
    },
    permissions: { 'ask_*': 'ask' },
    audit: (record) => records.push(record),
  });
  try {
    registerTools(fixture, () => leave.abort());
    const frontendTools = ['page', 'page_late'].map((name) => ({
      name,
      description: 'From the browser',
      input_schema: input,
    }));
    const options = { ...OWNER, signal: leave.signal };
    const started = await fixture.agent.chat({ message: 'go', frontendTools }, options);
    await react(fixture, started, scenario);
    const messages = await fixture.sessions.transcript(started.sessionId, OWNER);
    return { records, messages };
  } finally {
    await fixture.module.close();
  }
}

/** Advances the run's timers until the work is done. */
async function inFakeTime<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  done.catch(() => undefined);
  while (!isDone) {
    await new Promise(setImmediate);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
  }
  return done;
}

describe('every call of a run', () => {
  beforeEach(() =>
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }),
  );
  afterEach(() => jest.useRealTimers());

  it('ends with one result, in order, and one record that tells the same', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const { records, messages } = await inFakeTime(play(scenario));
        expect(problemsOf(messages)).toEqual([]);
        const blocks = messages.flatMap(({ content }) => content);
        const results = new Map(
          blocks.flatMap((block) =>
            block.type === 'tool_result' ? [[block.tool_use_id, block] as const] : [],
          ),
        );
        const uses = messages.flatMap((message) => toolUsesOf(message));
        expect(records.map(({ callId }) => callId).sort()).toEqual(uses.map(({ id }) => id).sort());
        for (const use of uses) {
          expectTruth(
            use,
            results.get(use.id),
            records.find(({ callId }) => callId === use.id),
          );
        }
      }),
      { numRuns: 80 },
    );
  }, 60_000);

  const ended = (outcome: string, errorCode: string, approval = 'none') => ({
    outcome,
    errorCode,
    approval,
  });
  const ran = (approval: string) => ({ outcome: 'executed', approval });

  it.each<[string, Partial<Scenario>, readonly object[]]>([
    ['ran', { steps: [['ok']] }, [ran('none')]],
    ['failed', { steps: [['fail']] }, [ended('failed', 'tool_failed')]],
    ['took too long', { steps: [['hang']] }, [ended('failed', 'timeout')]],
    ['may not be made', { steps: [['deny']] }, [ended('declined', 'permission_denied')]],
    ['meant no tool', { steps: [['unknown']] }, [ended('not_found', 'not_found')]],
    ['had no arguments', { steps: [['malformed']] }, [ended('failed', 'invalid_arguments')]],
    ['had wrong ones', { steps: [['wrong']] }, [ended('failed', 'invalid_arguments')]],
    ['was approved', { steps: [['ask_approve']] }, [ran('approved')]],
    ['was edited', { steps: [['ask_edit']] }, [ran('approved')]],
    ['was edited wrongly first', { steps: [['ask_misedit']] }, [ran('approved')]],
    ['was rejected', { steps: [['ask_reject']] }, [ended('declined', 'declined', 'declined')]],
    ['was approved too late', { steps: [['ask_late']] }, [ended('declined', 'expired', 'expired')]],
    ['was answered by the browser', { steps: [['page']] }, [ran('none')]],
    ['was answered too late', { steps: [['page_late']] }, [ended('failed', 'expired')]],
    ['was too much', { steps: [['ok']], maxCalls: 0 }, [ended('declined', 'over_budget')]],
    [
      'was too much, and wrong',
      { steps: [['unknown']], maxCalls: 0 },
      [ended('not_found', 'not_found')],
    ],
    [
      'was the fifth of its kind',
      {
        steps: [
          ['same', 'same', 'same', 'same'],
          ['same', 'ok'],
        ],
      },
      [
        ...Array<object>(4).fill(ran('none')),
        ended('declined', 'repeated'),
        ended('interrupted', 'interrupted'),
      ],
    ],
    [
      'stopped its run, or came after it',
      { steps: [['stop', 'ok', 'ask_approve']] },
      Array<object>(3).fill(ended('interrupted', 'interrupted')),
    ],
    [
      'was passed over by a message',
      { steps: [['ask_approve', 'page', 'ask_approve']], reaction: 'message' },
      [
        ended('declined', 'declined', 'declined'),
        ended('declined', 'declined'),
        ended('interrupted', 'interrupted', 'approved'),
      ],
    ],
    [
      'waited when the run was cancelled',
      { steps: [['ask_approve', 'ask_approve']], reaction: 'cancel' },
      [ended('interrupted', 'interrupted'), ended('interrupted', 'interrupted', 'approved')],
    ],
  ])('that %s is on record as that', async (_, scenario, expected) => {
    const { records, messages } = await inFakeTime(
      play({ steps: [], maxCalls: undefined, reaction: 'one request', ...scenario }),
    );
    const ids = messages.flatMap((message) => toolUsesOf(message).map(({ id }) => id));
    const inOrder = ids.map((id) => records.find(({ callId }) => callId === id));
    expect(inOrder).toMatchObject(expected);
    expect(records).toHaveLength(ids.length);
  });

  it('that the browser did not answer in time is on record as that', async () => {
    const records: AuditRecord[] = [];
    const { agent } = await agentFixture({
      steps: [{ toolCalls: [{ id: 'c1', name: 'page' }] }, 'Done.'],
      options: { frontendTools: { timeoutMs: TIMEOUT_MS, maxCount: 1, maxBytes: 1_000 } },
      audit: (record) => records.push(record),
    });
    const page = {
      name: 'page',
      description: 'From the browser',
      input_schema: { type: 'object' },
    };
    const input = { message: 'go', frontendTools: [page] } as const;
    const { finished, sessionId } = await agent.start(input, { frontend: 'wait' });
    await inFakeTime(finished);
    expect(records).toMatchObject([{ callId: 'c1', ...ended('failed', 'timeout') }]);
    expect(await agent.deliver({ sessionId, callId: 'c1', result: 'late' })).toBe(false);
  });

  it('of an answer that broke off is on record as cut off', async () => {
    const records: AuditRecord[] = [];
    const { agent } = await agentFixture({
      steps: [
        [{ type: 'tool_use', id: 'c1', name: 'ok', input: { n: 1 } }, new Error('The line broke.')],
      ],
      audit: (record) => records.push(record),
    });
    expect((await agent.chat({ message: 'go' })).status).toBe('failed');
    expect(records).toMatchObject([
      { callId: 'c1', tool: 'ok', ...ended('interrupted', 'cut_off') },
    ]);
  });

  it('that needs an approval which nobody can give is on record as that', async () => {
    const records: AuditRecord[] = [];
    const { agent, registry } = await agentFixture({
      steps: [{ toolCalls: [{ id: 'c1', name: 'poke' }] }, 'Done.'],
      audit: (record) => records.push(record),
    });
    const permission = () => 'ask' as const;
    registry.register(
      defineTool({ name: 'poke', description: 'Poke', permission, execute: () => 'ok' }),
    );
    const { finished } = await agent.complete({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
    });
    expect((await finished).status).toBe('completed');
    expect(records).toMatchObject([{ callId: 'c1', ...ended('declined', 'approval_required') }]);
  });
});

function expectTruth(
  { input: asked, name }: ToolUseBlock,
  result: ToolResultBlock | undefined,
  record: AuditRecord | undefined,
): void {
  expect(record).toMatchObject({
    tool: name,
    principal: OWNER.principal,
    argumentsDigest: argumentsDigest(asked),
  });
  expect(record?.outcome === 'executed').toBe(result?.is_error === false);
  if (record?.outcome !== 'executed') expect(record?.errorCode).toEqual(expect.any(String));
}
