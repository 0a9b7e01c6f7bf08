import { EventEmitter, once } from 'node:events';
import { Batched, batchesOf, type AgentEvent } from '../../message';
import { EventFeed } from '../record';
import type { OpenedRun, RunBus } from './run-bus';

interface OpenRun extends OpenedRun {
  readonly feed: EventFeed;
}

/**
 * A bus within one process, for tests and for several Nest applications over one store.
 *
 * @example
 * const bus = memoryBus();
 * const sessions = { store: memoryStore() };
 * AgentModule.forRoot({ bus, sessions });
 */
export function memoryBus(): RunBus {
  const runs = new Map<string, OpenRun>();
  const openings = new EventEmitter().setMaxListeners(0);
  const read = (runId: string, after: number): AsyncIterable<AgentEvent> | undefined => {
    const run = runs.get(runId);
    return run !== undefined && after >= run.lastSeq ? run.feed.read(after) : undefined;
  };
  const readOnceOpen = async function* (runId: string, after: number, waitMs: number) {
    const signal = AbortSignal.timeout(waitMs);
    const isOpen = await once(openings, runId, { signal }).then(
      () => true,
      () => false,
    );
    const events = isOpen ? read(runId, after) : undefined;
    if (events) yield* batchesOf(events);
  };
  return {
    open(run) {
      const feed = new EventFeed(run.lastSeq);
      const open = { ...run, onSignal: run.onSignal.bind(run), feed };
      const former = runs.get(run.runId);
      if (former && former.leaseToken > run.leaseToken) feed.end();
      else {
        former?.feed.end();
        runs.set(run.runId, open);
        openings.emit(run.runId);
      }
      return {
        publish: (events) => feed.push(events),
        close: () => {
          feed.end();
          if (runs.get(run.runId) === open) runs.delete(run.runId);
        },
      };
    },
    follow(runId, after, { waitMs = 0 } = {}) {
      if (runs.has(runId) || waitMs === 0) return read(runId, after);
      return new Batched(readOnceOpen(runId, after, waitMs));
    },
    signal(runId, signal) {
      const run = runs.get(runId);
      run?.onSignal(signal);
      return Promise.resolve(run !== undefined);
    },
  };
}
