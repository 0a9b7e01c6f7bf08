import type { ToolCatalog } from '../../invocation';
import type { OpenCall } from '../../session';
import { isRepeatable, type Tool } from '../../tool';
import { approvalOf, mayHaveRun, type RequestedCall } from '../loop';
import type { RunContext } from '../context';

/** The open calls of a run that a worker takes up. */
interface TakenCalls {
  /** Calls to run, some of them again. */
  readonly runnable: readonly RequestedCall[];
  /** Calls that ran elsewhere, perhaps not to their end; they never run again. */
  readonly unknown: readonly OpenCall[];
}

/**
 * Sorts the open calls: calls that have not run or may run twice run now. A call whose start need not be
 * stored may have run before its worker died or gave the run back; it runs again only if its tool may do so
 * in this release, too.
 */
export function takenCalls(run: RunContext, catalog: ToolCatalog, hadWorker: boolean): TakenCalls {
  const { state } = run.journal;
  const runnable: RequestedCall[] = [];
  const unknown: OpenCall[] = [];
  for (const open of state.openCalls) {
    const { call, started } = open;
    const tool = catalog.find(call.name, run);
    const mayRunAgain = tool !== undefined && isRepeatable(tool);
    const isUncertain = hadWorker && mayHaveRun(state, open);
    if (started ? !mayGoOn(open, tool) : isUncertain && !mayRunAgain) {
      unknown.push(open);
      continue;
    }
    const isApproved =
      (started && tool?.asks !== undefined) || approvalOf(state, call.id) === 'approved';
    runnable.push({ use: call, isApproved, hasStarted: started, mayHaveRun: isUncertain });
  }
  return { runnable, unknown };
}

function mayGoOn({ expiresAt }: OpenCall, tool: Tool | undefined): boolean {
  if (tool === undefined) return false;
  // The asked agent's run is bound to the call, so it is never asked twice.
  if (tool.asks !== undefined) return true;
  // The browser that received the call still answers it.
  return tool.answer?.from === 'frontend' && Date.parse(expiresAt ?? '') > Date.now();
}
