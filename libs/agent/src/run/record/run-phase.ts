import { applyEntry, type EntryNumbers, type SessionEntry, type SessionState } from '../../session';
import { AgentError } from '../../tool';

/**
 * Where a session's last run stands, as its journal tells.
 *
 * - `idle`: it is over, or there was none
 * - `thinking`: the model is to speak next
 * - `acting`: calls of the last assistant message have no result yet
 * - `waiting`: it needs its caller; nobody holds the session
 */
export type RunPhase = 'idle' | 'thinking' | 'acting' | 'waiting';

/**
 * What may be written in which phase, and which phases it may lead to. A permission can be taken
 * back in any: the run that a journal leaves open may be a dead process's.
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
    compacted: ['thinking'],
    noticed: ['thinking'],
    'permission.revoked': ['thinking'],
    'run.finished': ['idle'],
  },
  acting: {
    'call.started': ['acting'],
    'call.progressed': ['acting'],
    'call.settled': ['acting', 'thinking'],
    'groups.changed': ['acting'],
    'action.required': ['acting'],
    'permission.revoked': ['acting'],
    'run.parked': ['waiting'],
  },
  waiting: {
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
 * What becomes of a run that another request finds in a phase, on behalf of the owner's next
 * message. Nothing happens before that: the credentials are the message's.
 *
 * - `fail`: its process is dead; open calls are settled, and it ends `failed`
 * - `decline`: what it waits for is declined, and it ends `cancelled`
 */
export const RECOVERY: Readonly<Record<RunPhase, 'nothing' | 'fail' | 'decline'>> = {
  idle: 'nothing',
  thinking: 'fail',
  acting: 'fail',
  waiting: 'decline',
};

/** An entry that cannot follow on what the journal holds: a defect of the library, or of a store. */
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

/** The state after some entries. @throws InvalidTransitionError where the table has no such step */
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
