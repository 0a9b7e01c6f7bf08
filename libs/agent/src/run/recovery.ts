import { RepeatedCalls } from '../invocation';
import type { ToolRegistry } from '../registry';
import { settleOpenCalls, type OpenCall, type SessionState } from '../session';
import { EventLog } from './event-log';
import { callContextOf, type RunContext } from './run-context';
import { phaseOf, RECOVERY } from './run-phase';
import { takeToolStep, type ToolStepServices } from './tool-step';

const OUTCOME_UNKNOWN =
  'The process stopped while this call ran. Its outcome is unknown, and it was not repeated.';
const NEVER_RAN = 'The process stopped before this call ran. It was not run.';
const DECLINED_BY_MESSAGE =
  'The user did not answer the request for this call but sent a new message. It was not run.';

/**
 * Brings a session whose last run did not end to a state that a model accepts, on behalf of the
 * owner's next request and with its credentials: what may be repeated is, the rest is told apart.
 */
export async function settleLastRun(
  run: RunContext,
  registry: ToolRegistry,
  services: ToolStepServices,
): Promise<void> {
  const last = run.journal.state.run;
  const recovery = RECOVERY[phaseOf(run.journal.state)];
  if (last === undefined || recovery === 'nothing') return;
  const isCrashed = recovery === 'fail';
  if (isCrashed) await repeatCalls({ ...run, runId: last.runId }, registry, services);
  const { state } = run.journal;
  const reasonOf = ({ started }: OpenCall): string =>
    isCrashed ? (started ? OUTCOME_UNKNOWN : NEVER_RAN) : DECLINED_BY_MESSAGE;
  await run.journal.append(...settleOpenCalls(state, reasonOf), {
    type: 'run.finished',
    runId: last.runId,
    status: isCrashed ? 'failed' : 'cancelled',
    stopReason: isCrashed ? 'error' : 'cancelled',
    message: last.message ?? '',
    usage: last.usage,
    seq: last.seq,
  });
  for (const open of state.openCalls) {
    const content = reasonOf(open);
    services.calls.conclude(
      open.call,
      { ...callContextOf(run), runId: last.runId, callId: open.call.id },
      isCrashed
        ? { status: 'interrupted', content, error: { code: 'interrupted', message: content } }
        : { status: 'declined', content, error: { code: 'declined', message: content } },
      isCrashed ? 'none' : 'declined',
    );
  }
}

/** Runs the open calls again that may run twice. Their events have nobody left to hear them. */
async function repeatCalls(
  run: RunContext,
  registry: ToolRegistry,
  services: ToolStepServices,
): Promise<void> {
  const { state } = run.journal;
  const requested = state.openCalls
    .filter(({ call }) => isRepeatable(registry, call.name))
    .map((open) => ({ use: open.call, isApproved: isApproved(state, open) }));
  if (requested.length === 0) return;
  const silent = { ...run, log: new EventLog(run.runId) };
  await takeToolStep(silent, requested, new RepeatedCalls(), services);
}

function isRepeatable(registry: ToolRegistry, name: string): boolean {
  const traits = registry.find(name)?.traits;
  return traits !== undefined && (traits.readOnly || traits.idempotent);
}

/** An approval belongs to its call: one that was interrupted still has it. */
function isApproved(state: SessionState, { call }: OpenCall): boolean {
  return state.actions.some(
    ({ action, answer }) => action.callId === call.id && answer?.type === 'approve',
  );
}
