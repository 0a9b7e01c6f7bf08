import type { PendingAction } from '../wire';
import { callsIn, eachCall } from './calls';
import type { Account, Part, ToolPart } from './chat-state';
import { newCall } from './tool-parts';

/** The parts with the run changed of an agent that a call asked, at any depth. */
export function withAsked(
  parts: readonly Part[],
  { agent, parentCallId }: { readonly agent: string; readonly parentCallId: string },
  change: (run: Account) => Partial<Account>,
): readonly Part[] {
  const isKnown = callsIn(parts).some(({ callId }) => callId === parentCallId);
  // An event of an unannounced call is shown all the same: it may require an approval.
  const known = isKnown ? parts : [...parts, newCall(parentCallId, agent)];
  return eachCall(known, (call) => {
    if (call.callId !== parentCallId) return call;
    const before = call.asked ?? { parts: [] };
    const run = { ...before, ...change(before), agent };
    return { ...call, asked: { ...run, parts: run.parts.map((part) => ownedBy(agent, part)) } };
  });
}

/** Approvals that a run waits for no more were given: a refusal has its result by then. */
export function withAnswered(
  parts: readonly Part[],
  pending: readonly PendingAction[],
): readonly Part[] {
  const isPending = ({ callId }: ToolPart) => pending.some((action) => action.callId === callId);
  return eachCall(parts, (call) => {
    const { approval, outcome } = call;
    if (!approval || approval.answer || outcome || isPending(call)) return call;
    return { ...call, approval: { ...approval, answer: 'approved' } };
  });
}

function ownedBy(agent: string, part: Part): Part {
  return part.type === 'tool' && part.agent === undefined ? { ...part, agent } : part;
}
