import type { RunStatus } from './agent-event';

/** Whether a run of this status goes on without its caller. */
export function isUnderWay(status: RunStatus | undefined): boolean {
  return status === 'running' || status === 'queued';
}
