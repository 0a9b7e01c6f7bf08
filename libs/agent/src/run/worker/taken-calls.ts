import type { ToolCatalog } from '../../invocation';
import type { OpenCall } from '../../session';
import type { Tool } from '../../tool';
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
 * Sorts the open calls: calls that have not run or are repeatable run now. The start of a repeatable
 * call is not stored, so one with a stored start never runs again, whatever its tool is in this release. A call
 * of a removed tool may have run before its worker died or gave the run back.
 */
export function takenCalls(run: RunContext, catalog: ToolCatalog, hadWorker: boolean): TakenCalls {
  const { state } = run.journal;
  const runnable: RequestedCall[] = [];
  const unknown: OpenCall[] = [];
  for (const open of state.openCalls) {
    const { call, started } = open;
    const tool = catalog.find(call.name, run);
    if (
      started
        ? !mayGoOn(open, tool)
        : hadWorker && tool === undefined && mayHaveRun(state, open, tool)
    ) {
      unknown.push(open);
      continue;
    }
    const wasAsking = started && tool?.asks !== undefined;
    const isApproved = wasAsking || approvalOf(state, call.id) === 'approved';
    runnable.push({ use: call, isApproved, hasStarted: started });
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
