import { NO_USAGE, type Usage } from '../../message';
import {
  actionOf,
  crashEndOf,
  type CrashEnd,
  type Draft,
  type OpenCall,
  SessionBusyError,
  type SessionEntry,
  type SessionState,
} from '../../session';
import { failedEnd } from '../../telemetry';
import { isRepeatable } from '../../tool';
import {
  approvalOf,
  DECLINED_BY_MESSAGE,
  endCalls,
  type EndedCall,
  isAskedOutside,
  LEFT_BY_MESSAGE,
  type LoopServices,
  mayHaveRun,
  NEVER_RAN,
  OUTCOME_UNKNOWN,
  ToolStep,
  UNANSWERED,
} from '../loop';
import { runOriginOf, type RunContext } from '../context';
import { recoveryOf, type RunJournal, RunEmitter } from '../record';

/**
 * Settles a session's unfinished last run with the credentials of the owner's next request:
 * repeatable calls are repeated, the others get a result that explains the interruption.
 *
 * @param draft a dead process's unfinished answer
 * @throws SessionBusyError if workers execute it
 */
export async function settleLastRun(
  run: RunContext,
  services: LoopServices,
  draft: Draft | undefined,
): Promise<void> {
  const { state } = run.journal;
  switch (recoveryOf(state)) {
    case 'nothing':
      return;
    case 'refuse':
      throw new SessionBusyError();
    case 'decline':
      return decline(run, services);
    case 'fail':
      return recover(run, services, crashEndOf(state, draft));
  }
}

/** Settles a dead process's run within its own telemetry hook. */
async function recover(
  run: RunContext,
  services: LoopServices,
  crash: CrashEnd | undefined,
): Promise<void> {
  if (crash === undefined) return;
  const { runId, status, stopReason, usage, failure } = crash.end;
  const { steps = 0 } = run.journal.state.run ?? {};
  const end = { status, stopReason, usage, steps };
  await run.telemetry.around('run', {
    info: () => ({ ...runOriginOf(run), runId, reason: 'recovery' as const }),
    work: () => fail(run, services, crash),
    end: () => ({ ...end, ...(failure && { errorCode: failure.code }) }),
    failed: (error) => ({ ...end, ...failedEnd(error), status }),
  });
}

/** Sends no events: readers have already derived the end themselves. */
async function fail(run: RunContext, services: LoopServices, crash: CrashEnd): Promise<void> {
  const { journal } = run;
  const { runId } = crash.end;
  await repeatCalls({ ...run, runId }, services);
  const { state } = journal;
  const past = { ...run, runId };
  forgetReaders(run, state);
  const ended = state.openCalls.map((open) => {
    const settlement = mayHaveRun(state, open) ? OUTCOME_UNKNOWN : NEVER_RAN;
    return { call: open.call, settlement };
  });
  await endCalls(past, services.calls, ended, {
    before: crash.draft ? [crash.draft] : [],
    after: [crash.end],
    write: (...entries) => journal.appendSilently(...entries),
  });
}

async function decline(run: RunContext, services: LoopServices): Promise<void> {
  const { state } = run.journal;
  if (state.run === undefined) return;
  const { runId, usage } = state.run;
  forgetReaders(run, state);
  const ended = state.openCalls.map((open) => declined(open, state));
  const after = [waitEnd(runId, usage)];
  await endCalls({ ...run, runId }, services.calls, ended, { after });
  run.telemetry.measure(() => ({ type: 'wait.ended' }));
}

/** The end of a waiting run that does not continue. */
export function waitEnd(runId: string, usage: Usage = NO_USAGE): SessionEntry {
  const end = { status: 'cancelled', stopReason: 'cancelled', message: '' } as const;
  return { type: 'run.finished', runId, ...end, usage };
}

/** Drops later events of asked agents: the readers belong to another run. */
function forgetReaders({ asking }: RunContext, { openCalls }: SessionState): void {
  for (const { call } of openCalls) asking.close(call.id);
}

function declined({ call, started }: OpenCall, state: SessionState): EndedCall {
  const asked = actionOf(state, call.id);
  if (isAskedOutside(state, call.id)) return { call, settlement: UNANSWERED };
  // It asked an agent that a deployment has removed.
  if (started) return { call, settlement: OUTCOME_UNKNOWN };
  if (asked?.answer?.type === 'approve') return { call, settlement: LEFT_BY_MESSAGE };
  const isRefused = asked?.action.type === 'approval';
  return { call, settlement: DECLINED_BY_MESSAGE, ...(isRefused && { approval: 'declined' }) };
}

/**
 * Repeats open calls of repeatable tools, without events. Their start is not stored, so a call with a stored start
 * is never repeated, whatever its tool is in this release.
 */
async function repeatCalls(run: RunContext, services: LoopServices): Promise<void> {
  const { state } = run.journal;
  const requested = state.openCalls
    .filter((open) => {
      const tool = services.catalog.find(open.call.name, run);
      return tool !== undefined && isRepeatable(tool) && !open.started;
    })
    .map(({ call }) => ({
      use: call,
      // An interrupted call keeps its approval.
      isApproved: approvalOf(state, call.id) === 'approved',
    }));
  if (requested.length === 0) return;
  const { journal, runId } = run;
  const step = new ToolStep({ ...run, ...silent(journal, runId) }, services);
  await step.take(await step.create(requested));
}

/** A run's emitter without readers, and a journal that sends no events. */
function silent(journal: RunJournal, runId: string): Pick<RunContext, 'journal' | 'emitter'> {
  const append: RunJournal['append'] = (...entries) => journal.appendSilently(...entries);
  return {
    emitter: new RunEmitter({ runId, sessionId: '' }),
    journal: {
      get state() {
        return journal.state;
      },
      append,
      appendSilently: append,
      checkpoint: (entry) => append(entry),
      close: (entries) => append(...entries),
    },
  };
}
