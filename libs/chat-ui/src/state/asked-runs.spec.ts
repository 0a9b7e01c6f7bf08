import type { AgentEvent } from '../wire';
import { applyEvent } from './apply-event';
import { callsIn } from './calls';
import { openApprovals } from './selectors';
import { declined } from './tool-parts';
import { emptyTurn } from './turns-of-messages';

const CLERK = { agent: 'clerk', parentCallId: 'a' };
const ARCHIVE = { agent: 'archive', parentCallId: 'b' };
const asks = (callId: string, name: string) => ({
  ...{ type: 'tool.call', callId, name, kind: 'agent', input: { message: 'Burn it' } },
});
const BURN = { callId: 'c', name: 'burn', input: { name: 'map' } };
const APPROVAL = { reason: 'It destroys.', expiresAt: '2030-01-01T00:00:00.000Z' };
const waits = (...pendingActions: readonly object[]) => ({
  ...{ type: 'run.finished', status: 'requires_action', stopReason: 'requires_action' },
  ...{ message: '', pendingActions },
});
const EVENTS = [
  { type: 'run.started', sessionId: 's', model: 'm' },
  asks('a', 'ask_clerk'),
  { type: 'thinking.delta', delta: 'Who knows?', ...CLERK },
  { type: 'agent.text.delta', delta: 'I ask the ', ...CLERK },
  { type: 'agent.text.delta', delta: 'archive.', ...CLERK },
  { ...asks('b', 'ask_archive'), ...CLERK },
  { type: 'tool.input.delta', ...BURN, kind: 'provider', delta: '{}', ...ARCHIVE },
  { type: 'tool.call', ...BURN, kind: 'provider', ...ARCHIVE },
  { type: 'approval.required', ...BURN, ...APPROVAL, ...ARCHIVE },
  waits({ ...BURN, type: 'approval', agent: 'archive' }),
];
const END = [
  { type: 'tool.progress', callId: 'c', data: 50, ...ARCHIVE },
  { type: 'tool.result', callId: 'c', name: 'burn', output: 'gone', outcome: 'ok', ...ARCHIVE },
  { type: 'source', url: 'https://example.com/', ...ARCHIVE },
  { type: 'compaction', ...ARCHIVE },
  { type: 'agent.text.delta', delta: 'Burnt.', ...ARCHIVE },
  { type: 'tool.result', callId: 'b', name: 'ask_archive', output: 'Burnt.', ...CLERK },
  { type: 'tool.result', callId: 'a', name: 'ask_clerk', output: 'Done.', outcome: 'ok' },
  { type: 'text.delta', delta: 'Done.' },
];

const turnOf = (events: readonly object[]) =>
  events
    .map((event, index) => ({ ...event, runId: 'r', seq: index + 1 }) as AgentEvent)
    .reduce((turn, event) => applyEvent(turn, event, 1_000), emptyTurn('t'));

describe('the events of asked agents', () => {
  it('stand in the call that asked, at any depth, and nowhere else', () => {
    const turn = turnOf([...EVENTS, ...END]);
    expect(turn.parts).toMatchObject([
      {
        callId: 'a',
        kind: 'agent',
        output: 'Done.',
        asked: {
          agent: 'clerk',
          parts: [
            { type: 'thinking', text: 'Who knows?' },
            { type: 'text', text: 'I ask the archive.' },
            {
              callId: 'b',
              agent: 'clerk',
              output: 'Burnt.',
              asked: {
                agent: 'archive',
                compacted: true,
                sources: [{ host: 'example.com' }],
                parts: [
                  { callId: 'c', agent: 'archive', output: 'gone', progress: [50] },
                  { type: 'text', text: 'Burnt.' },
                ],
              },
            },
          ],
        },
      },
      { type: 'text', text: 'Done.' },
    ]);
    expect(turn).not.toHaveProperty('sources');
    expect(turn).not.toHaveProperty('compacted');
    expect(turn.parts[0]).not.toHaveProperty('agent');
  });

  it('are taken once, wherever a stream is read again from', () => {
    const all = [...EVENTS, ...END].map((event, index) => ({ ...event, seq: index + 1 }));
    const read = (events: readonly object[]) =>
      events.reduce(
        (turn: ReturnType<typeof turnOf>, event) =>
          applyEvent(turn, { runId: 'r', ...event } as AgentEvent, 1_000),
        emptyTurn('t'),
      );
    for (let to = 0; to <= all.length; to += 1) {
      expect(read([...all.slice(0, to), ...all])).toEqual(read(all));
    }
  });

  it('leave an approval among the open ones, with the name of its agent', () => {
    expect(openApprovals(turnOf(EVENTS))).toMatchObject([
      { callId: 'c', agent: 'archive', approval: APPROVAL },
    ]);
  });

  it('show an approval also where the call that asked was never told', () => {
    const turn = turnOf([{ type: 'approval.required', ...BURN, ...APPROVAL, ...ARCHIVE }]);
    expect(turn.parts).toMatchObject([{ callId: 'b', name: 'archive', asked: { parts: [BURN] } }]);
    expect(openApprovals(turn)).toHaveLength(1);
  });

  it('tell by what the run still waits for which approvals were given', () => {
    const other = { ...BURN, callId: 'd' };
    const events = [
      ...EVENTS,
      { type: 'tool.call', ...other, kind: 'provider', ...CLERK },
      { type: 'approval.required', ...other, ...APPROVAL, ...CLERK },
      waits({ ...other, type: 'approval', agent: 'clerk' }),
    ];
    expect(openApprovals(turnOf(events))).toMatchObject([{ callId: 'd' }]);
  });

  it('end with the run: another message declines what they wait for', () => {
    const { parts } = declined(turnOf(EVENTS));
    expect(callsIn(parts).map(({ callId, outcome }) => [callId, outcome])).toEqual([
      ['a', 'declined'],
      ['b', 'declined'],
      ['c', 'declined'],
    ]);
  });
});
