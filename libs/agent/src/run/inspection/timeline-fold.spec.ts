import { NO_USAGE, textMessage } from '../../message';
import type { RecordedEntry, StoredEntry } from '../../session';
import type { TimelineItem } from './timeline';
import { type Showing, timelinesOf } from './timeline-fold';

const showing: Showing = {
  input: (_name, input) => input,
  redacted: (input) => Object.fromEntries(Object.keys(input).map((key) => [key, '[redacted]'])),
  blocks: (content) => content,
  cost: (modelName) => (modelName === 'free' ? undefined : 2),
};
const stored = (entries: readonly object[]): readonly StoredEntry[] =>
  entries.map((entry, position) => ({ position, entry: entry as RecordedEntry }));
const begins = (runId: string, text: string): readonly object[] => [
  { type: 'run.started', runId, modelName: 'big', startedAt: '2026-01-01T00:00:00.000Z' },
  { type: 'message', runId, message: textMessage('user', text) },
];
const ends = (runId: string, message: string): object => ({
  ...{ type: 'run.finished', runId, status: 'completed', stopReason: 'end_turn', message },
});
const timelines = (entries: readonly object[]) => timelinesOf('s', stored(entries), showing);

describe('a call whose tool is gone', () => {
  it('has its own arguments, and beside them those that were approved', () => {
    const [said, edited] = [{ amount: 10 }, { amount: 5 }];
    const use = { type: 'tool_use', id: 'c', name: 'pay', input: { ...said, pin: '1' } };
    const step = {
      ...{ type: 'step.finished', runId: 'r', step: 1, finishReason: 'tool_use', usage: NO_USAGE },
      message: { role: 'assistant', content: [use] },
      calls: [{ callId: 'c', kind: 'function', input: said, awaits: 'approval' }],
    };
    const action = { type: 'approval', callId: 'c', name: 'pay', input: use.input };
    const answer = { type: 'approve', input: { ...edited, pin: '1' }, shownInput: edited };
    const [run] = timelinesOf(
      's',
      stored([
        ...begins('r', 'Pay.'),
        step,
        { type: 'action.required', runId: 'r', action },
        { type: 'action.answered', runId: 'r', callId: 'c', answer },
      ]),
      { ...showing, input: (_name, input, before = input) => before },
    );
    expect(run?.items).toMatchObject([
      { type: 'said' },
      { type: 'model' },
      { type: 'call', input: said },
      { type: 'wait', action: { input: said }, edited },
    ]);
  });
});

describe('a run that was taken back', () => {
  const first = [...begins('r1', 'One?'), ends('r1', 'One.')];
  const second = [...begins('r2', 'Two?'), ends('r2', 'Two.')];

  it('is still told, and marked; those before it and those after are not', () => {
    const runs = timelines([
      ...first,
      ...second,
      { type: 'rewound', position: 3 },
      ...begins('r3', 'Two, edited?'),
      ends('r3', 'Edited.'),
    ]);
    expect(
      runs.map(({ question, message, isTakenBack }) => [question, message, isTakenBack]),
    ).toEqual([
      ['One?', 'One.', false],
      ['Two?', 'Two.', true],
      ['Two, edited?', 'Edited.', false],
    ]);
  });

  it('takes all later runs with it', () => {
    const runs = timelines([...first, ...second, { type: 'rewound', position: 0 }]);
    expect(runs.map(({ isTakenBack }) => isTakenBack)).toEqual([true, true]);
  });

  it('stays so where the run in its place is taken back as well', () => {
    const rewound = { type: 'rewound', position: 0 };
    const runs = timelines([...first, rewound, ...second, { ...rewound, position: 4 }]);
    expect(runs.map(({ isTakenBack }) => isTakenBack)).toEqual([true, true]);
  });
});

describe('an asked agent', () => {
  const usage = { ...NO_USAGE, inputTokens: 10, totalTokens: 10 };
  const told = [
    { type: 'tool.input.delta', callId: 'c2', delta: '{"pin":' },
    { type: 'tool.call', callId: 'c2', name: 'log_in', input: { pin: '1234' }, lengths: '1' },
    { type: 'text.delta', delta: 'Done.' },
  ];
  const spent = (modelName: string): object => ({
    ...{ type: 'agent.spent', runId: 'r1', callId: 'c1', modelName, usage },
  });

  it('is told within the run that asks, with its arguments redacted', () => {
    const [run] = timelines([
      ...begins('r1', 'Ask them.'),
      { type: 'agent.told', runId: 'r1', callId: 'c1', told },
    ]);
    const asked = run?.items.find(({ type }) => type === 'asked') as TimelineItem & object;
    expect(asked).toEqual({
      type: 'asked',
      callId: 'c1',
      told: [
        { type: 'tool.call', callId: 'c2', name: 'log_in', input: { pin: '[redacted]' } },
        { type: 'text.delta', delta: 'Done.' },
      ],
    });
    expect(JSON.stringify(run)).not.toMatch(/1234|pin":$/);
  });

  it('adds its tokens and their cost to the run', () => {
    const [run] = timelines([...begins('r1', 'Ask them.'), spent('big'), spent('small')]);
    expect(run).toMatchObject({ usage: { totalTokens: 20 }, cost: 4 });
    expect(run?.items.slice(1)).toMatchObject([
      { type: 'asked_spent', modelName: 'big', cost: 2 },
      { type: 'asked_spent', modelName: 'small' },
    ]);
  });

  it('leaves the run without a cost where its model has no price', () => {
    const [run] = timelines([...begins('r1', 'Ask them.'), spent('big'), spent('free')]);
    expect(run?.usage.totalTokens).toBe(20);
    expect(run).not.toHaveProperty('cost');
  });

  it('has its approvals among the waits, with the name of the agent', () => {
    const action = {
      type: 'approval',
      callId: 'c2',
      name: 'deploy',
      input: { key: 'k' },
      agent: 'ops',
    };
    const [run] = timelines([
      ...begins('r1', 'Ask them.'),
      { type: 'action.required', runId: 'r1', action },
      {
        type: 'action.answered',
        runId: 'r1',
        callId: 'c2',
        answer: { type: 'reject', reason: 'No.' },
      },
    ]);
    expect(run?.items[1]).toEqual({
      type: 'wait',
      action: { ...action, input: { key: '[redacted]' } },
      answer: 'reject',
      reason: 'No.',
    });
  });
});
