import type { RunHandle } from '../../run';
import type { RelayedRun } from './run.responder';

/** A queued run is read once more for its result, so only if the protocol sends it. */
export function relayedRun(run: RunHandle): RelayedRun {
  return {
    runId: run.runId,
    events: run.events(),
    get finished() {
      return run.finished;
    },
  };
}
