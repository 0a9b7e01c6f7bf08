import { applyEntry, type EntryNumbers, type SessionEntry, type SessionState } from '../../session';
import { AgentError } from '../../tool';

/**
 * The phase of a session's last run, according to its journal.
 *
 * - `idle`: it has ended, or there was none
 * - `thinking`: the model answers next
 * - `acting`: calls of the last assistant message have no result yet
 * - `waiting`: actions are pending; the session has no lease
 */
export type RunPhase = 'idle' | 'thinking' | 'acting' | 'waiting';

/**
 * The entries allowed in each phase, and the phases that may follow. A permission can be revoked in
 * every phase: an open run may belong to a dead process.
 */
export const RUN_TRANSITIONS: Readonly<
  Record<RunPhase, Readonly<Partial<Record<SessionEntry['type'], readonly RunPhase[]>>>>
> = {
  idle: {
    'run.started': ['thinking'],
    rewound: ['idle'],
    'permission.revoked': ['idle'],
  },
  thinking: {
    message: ['thinking'],
    'step.finished': ['thinking', 'acting'],
    'call.progressed': ['thinking'],
    'agent.told': ['thinking'],
    'agent.spent': ['thinking'],
    compacted: ['thinking'],
    noticed: ['thinking'],
    'permission.revoked': ['thinking'],
    'run.finished': ['idle'],
  },
  acting: {
    'call.started': ['acting'],
    'call.progressed': ['acting'],
    'agent.told': ['acting'],
    'agent.spent': ['acting'],
    'call.settled': ['acting', 'thinking'],
    'groups.changed': ['acting'],
    'action.required': ['acting'],
    'permission.revoked': ['acting'],
    'run.parked': ['waiting'],
  },
  waiting: {
    'agent.told': ['waiting'],
    'action.answered': ['waiting'],
    'call.settled': ['waiting'],
    'permission.remembered': ['waiting'],
    'permission.revoked': ['waiting'],
    'run.parked': ['waiting'],
    'run.resumed': ['acting', 'thinking'],
    'run.finished': ['idle'],
  },
};

/**
 * The recovery of a run that a later message finds in a phase. It needs that message's credentials,
 * so nothing happens earlier.
 *
 * - `fail`: its process died; open calls are settled, and the run ends `failed`
 * - `decline`: its pending actions are declined, and it ends `cancelled`
 */
export const RECOVERY: Readonly<Record<RunPhase, 'nothing' | 'fail' | 'decline'>> = {
  idle: 'nothing',
  thinking: 'fail',
  acting: 'fail',
  waiting: 'decline',
};

/** An entry that is not allowed in the journal's phase: a defect of the library or of a store. */
export class InvalidTransitionError extends AgentError {
  constructor(phase: RunPhase, type: SessionEntry['type'], next: RunPhase) {
    super('invalid_transition', `"${type}" cannot lead from ${phase} to ${next}.`);
  }
}

export function phaseOf({ run, openCalls }: SessionState): RunPhase {
  switch (run?.status) {
    case 'running':
      return openCalls.length > 0 ? 'acting' : 'thinking';
    case 'requires_action':
      return 'waiting';
    case undefined:
    case 'completed':
    case 'cancelled':
    case 'failed':
      return 'idle';
  }
}

/** @throws InvalidTransitionError for an entry that the table does not allow */
export function advance(
  state: SessionState,
  entries: readonly (SessionEntry & Partial<EntryNumbers>)[],
): SessionState {
  let current = state;
  for (const entry of entries) {
    const next = applyEntry(current, entry);
    const [before, after] = [phaseOf(current), phaseOf(next)];
    if (RUN_TRANSITIONS[before][entry.type]?.includes(after) !== true) {
      throw new InvalidTransitionError(before, entry.type, after);
    }
    current = next;
  }
  return current;
}
