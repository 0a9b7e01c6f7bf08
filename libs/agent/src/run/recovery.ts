import type { ToolCatalog } from '../invocation';
import type { OpenCall, SessionState } from '../session';
import { isRepeatable, type Tool } from '../tool';
import { DECLINED_BY_MESSAGE, LEFT_BY_MESSAGE, NEVER_RAN, OUTCOME_UNKNOWN } from './call-endings';
import { actionOf, approvalOf, endCalls, type EndedCall } from './call-results';
import { EventLog } from './event-log';
import { callContextOf, type RunContext } from './run-context';
import { endInstead } from './run-ending';
import { phaseOf, RECOVERY } from './run-phase';
import { takeToolStep, type ToolStepServices } from './tool-step';

interface RecoveryServices extends ToolStepServices {
  readonly catalog: ToolCatalog;
}

/**
 * Brings a session whose last run did not end to a state that a model accepts, on behalf of the
 * owner's next request and with its credentials: what may be repeated is, the rest is told apart.
 */
export async function settleLastRun(run: RunContext, services: RecoveryServices): Promise<void> {
  const last = run.journal.state.run;
  const recovery = RECOVERY[phaseOf(run.journal.state)];
  if (last === undefined || recovery === 'nothing') return;
  const isCrashed = recovery === 'fail';
  if (isCrashed) await repeatCalls({ ...run, runId: last.runId }, services);
  const { state } = run.journal;
  const ended = state.openCalls.map((open): EndedCall => ({
    call: open.call,
    ...(isCrashed ? interrupted(open, state, toolOf(open, run, services)) : declined(open, state)),
  }));
  await endCalls({ ...run, runId: last.runId }, services.calls, ended, {
    after: [endInstead(last, isCrashed ? 'failed' : 'cancelled')],
  });
}

type End = Omit<EndedCall, 'call'>;

/** @param tool what the call means today; where it means nothing, nobody knows whether it ran */
function interrupted(open: OpenCall, state: SessionState, tool: Tool | undefined): End {
  const hasRun = open.started || tool === undefined;
  const settlement = hasRun ? OUTCOME_UNKNOWN : NEVER_RAN;
  return { settlement, approval: approvalOf(state, open.call.id) };
}

function declined({ call }: OpenCall, state: SessionState): End {
  const approval = approvalOf(state, call.id);
  const asked = actionOf(state, call.id);
  if (asked?.answer?.type === 'approve') return { settlement: LEFT_BY_MESSAGE, approval };
  const isRefused = asked?.action.type === 'approval';
  return { settlement: DECLINED_BY_MESSAGE, approval: isRefused ? 'declined' : approval };
}

/** Runs the open calls again that may run twice. Their events have nobody left to hear them. */
async function repeatCalls(run: RunContext, services: RecoveryServices): Promise<void> {
  const { state } = run.journal;
  const requested = state.openCalls
    .filter((open) => {
      const tool = toolOf(open, run, services);
      return tool !== undefined && isRepeatable(tool.traits);
    })
    .map(({ call }) => ({
      use: call,
      // An approval belongs to its call: one that was interrupted still has it.
      isApproved: approvalOf(state, call.id) === 'approved',
    }));
  if (requested.length === 0) return;
  const silent = { ...run, log: new EventLog(run.runId) };
  await takeToolStep(silent, requested, services);
}

/** By its name, whichever door it comes through: the registry, this request, or the library. */
function toolOf(
  { call }: OpenCall,
  run: RunContext,
  { catalog }: RecoveryServices,
): Tool | undefined {
  return catalog.find(call.name, callContextOf(run));
}
