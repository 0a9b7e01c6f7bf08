import {
  applyEntry,
  type EntryNumbers,
  isOfWorkers,
  type SessionEntry,
  type SessionState,
} from '../../session';
import { AgentError } from '../../tool';

/**
 * The phase of a session's last run, according to its journal.
 *
 * - `idle`: it has ended, or there was none
 * - `thinking`: the model answers next
 * - `acting`: calls of the last assistant message have no result yet
 * - `waiting`: actions are pending; the session has no lease
 * - `queued`: the run waits for a worker; the session has no lease
 */
export type RunPhase = 'idle' | 'thinking' | 'acting' | 'waiting' | 'queued';

/** For a run of workers: one takes it up, or returns it, perhaps in the middle of a step. */
const QUEUED_ON = {
  'run.queued': ['queued'],
  'run.taken': ['acting', 'thinking'],
  'step.discarded': ['acting', 'thinking'],
} as const satisfies Partial<Record<SessionEntry['type'], readonly RunPhase[]>>;

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
    ...QUEUED_ON,
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
    ...QUEUED_ON,
  },
  waiting: {
    'agent.told': ['waiting'],
    'action.answered': ['waiting'],
    'call.settled': ['waiting'],
    'permission.remembered': ['waiting'],
    'permission.revoked': ['waiting'],
    'run.parked': ['waiting'],
    'run.resumed': ['acting', 'thinking'],
    'run.queued': ['queued'],
    'run.finished': ['idle'],
  },
  queued: {
    'agent.told': ['queued'],
    'call.settled': ['queued'],
    'permission.revoked': ['queued'],
    'run.queued': ['queued'],
    'run.taken': ['acting', 'thinking'],
    'run.finished': ['idle'],
  },
};

/**
 * How a later message recovers a run, by phase. Recovery needs that message's credentials, so it
 * never happens earlier.
 *
 * - `fail`: its process died; open calls are settled, and the run ends `failed`
 * - `decline`: its pending actions are declined, and it ends `cancelled`
 * - `refuse`: a worker will take it up, so the message is refused
 */
type Recovery = 'nothing' | 'fail' | 'decline' | 'refuse';

const RECOVERY: Readonly<Record<RunPhase, Recovery>> = {
  idle: 'nothing',
  thinking: 'fail',
  acting: 'fail',
  waiting: 'decline',
  queued: 'refuse',
};

export function recoveryOf(state: SessionState): Recovery {
  return isForWorker(state) ? 'refuse' : RECOVERY[phaseOf(state)];
}

/** Whether a worker continues the run: it is queued, or its worker died. */
export function isForWorker(state: SessionState): boolean {
  return phaseOf(state) === 'queued' || isAbandoned(state);
}

/** Whether the lease's holder finds a run whose worker died; another worker will take it up. */
export function isAbandoned({ run }: SessionState): boolean {
  return run?.status === 'running' && isOfWorkers(run);
}

/**
 * Whether a worker died or returned the run, and no other one has taken it up since: its open calls may
 * have run.
 */
export function hadWorker(state: SessionState): boolean {
  const { run } = state;
  return isAbandoned(state) || (run?.status === 'queued' && run.queued?.again !== undefined);
}

/** An entry that is not allowed in the journal's phase: a bug of the library or of a store. */
class InvalidTransitionError extends AgentError {
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
    case 'queued':
      return 'queued';
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
