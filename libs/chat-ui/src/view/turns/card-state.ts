import { callsIn, isWaiting, type ToolPart } from '../../state';
import type { Texts } from '../../texts';
import type { CallOutcome, RunStatus } from '../../wire';
import type { IconName } from '../base';

export type CardState = keyof Texts['calls'];

const STATE_OF: Readonly<Record<CallOutcome, CardState>> = {
  ok: 'done',
  error: 'failed',
  declined: 'declined',
  expired: 'expired',
  interrupted: 'interrupted',
};

export const ICONS: Readonly<Record<CardState, IconName>> = {
  done: 'check',
  failed: 'alert',
  waiting: 'shield',
  elsewhere: 'shield',
  answered: 'check',
  declined: 'close',
  expired: 'close',
  running: 'tool',
  interrupted: 'tool',
};

/** The state of a call. A call that asks an agent waits while a call of that agent does. */
export function stateOf(part: ToolPart, status: RunStatus): CardState {
  const { approval, isExternal, outcome, asked } = part;
  if (outcome !== undefined) return STATE_OF[outcome];
  if (approval?.answer === 'rejected') return 'declined';
  const calls = [part, ...callsIn(asked?.parts ?? [])];
  if (calls.some(isWaiting)) return 'waiting';
  const isElsewhere = (call: ToolPart) => call.isExternal === true && call.outcome === undefined;
  if (isExternal || calls.some(isElsewhere)) return 'elsewhere';
  if (status === 'running') return 'running';
  // It runs once the other calls of its step have their answers.
  return approval && status === 'requires_action' ? 'answered' : 'interrupted';
}
