import type { AgentEvent } from '../../message';
import { isShownFlat } from './flat-event';

const by = { agent: 'archive', parentCallId: 'call_1' };
const of = (event: object): AgentEvent =>
  ({ runId: 'run_1', seq: 1, ...event }) as unknown as AgentEvent;

describe('what protocols that know one agent show', () => {
  it.each([
    'tool.call',
    'tool.progress',
    'tool.result',
    'approval.required',
    'frontend.call',
  ] as const)('is %s of any agent', (type) => {
    expect(isShownFlat(of({ type, callId: 'call_2', ...by }))).toBe(true);
    expect(isShownFlat(of({ type, callId: 'call_2' }))).toBe(true);
  });

  it.each([
    'step.started',
    'step.finished',
    'thinking.delta',
    'agent.text.delta',
    'tool.input.delta',
    'source',
    'notice',
    'provider.tool',
    'compaction',
  ] as const)('is no %s of an asked agent', (type) => {
    expect(isShownFlat(of({ type, ...by }))).toBe(false);
  });

  it.each(['text.delta', 'thinking.delta', 'step.started', 'run.finished'] as const)(
    'is %s of the run’s own agent',
    (type) => {
      expect(isShownFlat(of({ type }))).toBe(true);
    },
  );
});
