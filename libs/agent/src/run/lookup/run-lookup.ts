import { onceAborted, pause } from '../../internal';
import type { Delivery, ToolCatalog } from '../../invocation';
import { Batched, batchesOf, isUnderWay, type AgentEvent } from '../../message';
import { type RunRecord, SessionBusyError } from '../../session';
import type { ActiveRun, ActiveRuns, SessionAccess, SessionClaim } from '../execution';
import { type ChatResult, storedResult, toolsOf } from '../request';
import { type Elsewhere, isExecuted } from './elsewhere';
import type { RunReader } from './run.reader';
import type { WaitingRunCanceller } from './waiting-run.canceller';

/**
 * The attempts at a session that another request holds, or that a store with late reads still returns
 * as it was.
 */
export const MOST_TRIES = 20;

/** Finds a caller's runs: in this process, or in the store. */
export class RunLookup {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly active: ActiveRuns,
    private readonly reader: RunReader,
    private readonly canceller: WaitingRunCanceller,
    private readonly catalog: ToolCatalog,
    private readonly elsewhere: Elsewhere,
  ) {}

  async find(runId: string, claim: SessionClaim): Promise<ChatResult> {
    const record = await this.sessions.findByRun(runId, claim);
    const { state } = await this.reader.view(record, runId);
    return storedResult(record.id, state, toolsOf(this.catalog));
  }

  async cancel(runId: string, claim: SessionClaim): Promise<ChatResult> {
    const live = this.live(runId, claim);
    if (live !== undefined) {
      live.cancel();
      const result = await live.finished;
      if (result.status !== 'requires_action') return result;
    }
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      if (tries > 2) await pauseBeforeNext();
      const found = await this.sessions.findByRun(runId, claim);
      if (this.active.isHere(runId)) {
        await this.active.stop(runId, 'cancelled');
        continue;
      }
      const view = isExecuted(found, runId)
        ? await this.elsewhere.stop(found, runId)
        : await this.reader.view(found, runId);
      if (view === undefined) continue;
      const { run, state, record } = view;
      // The run may be resumed meanwhile, in any process.
      const isWaiting = run?.status === 'requires_action';
      if (!isWaiting && (!isUnderWay(run?.status) || isExecuted(record, runId)))
        return storedResult(record.id, state, toolsOf(this.catalog));
      if (isWaiting || (run?.queued !== undefined && !record.isHeld))
        await this.cancelWaiting(record, runId);
    }
    throw new SessionBusyError();
  }

  private async cancelWaiting(record: RunRecord, runId: string): Promise<void> {
    try {
      await this.canceller.cancel(record, runId);
    } catch (error) {
      // Another request is ending or resuming the run; once resumed, it can be stopped.
      if (!(error instanceof SessionBusyError)) throw error;
    }
  }

  /** The events above a number, from this process's feed or the journal. */
  async events(
    runId: string,
    claim: SessionClaim,
    after = 0,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<AgentEvent>> {
    const here = this.live(runId, claim);
    // Another worker may continue it, so its readers follow it through the store.
    const live = here?.isWorkers ? undefined : here;
    if (live !== undefined && after >= live.feed.offset) {
      return attended(live.events(after), live, signal);
    }
    const record = await this.sessions.findByRun(runId, claim);
    if (live === undefined) return this.reader.follow(record, runId, after, signal);
    // A resumed run: its earlier events are in the journal.
    const { offset } = live.feed;
    const stored = await this.reader.storedEvents(record, runId, after, offset);
    return attended(joined(stored, live.events(offset)), live, signal);
  }

  /**
   * Delivers a frontend tool's result to the waiting run, in any process; `false` if no run waits.
   */
  async deliver(
    sessionId: string,
    callId: string,
    delivery: Delivery,
    principal: string | undefined,
  ): Promise<boolean> {
    const record = await this.sessions.find(sessionId, principal);
    const live = this.active.ofSession(sessionId);
    if (live !== undefined) return live.deliver(callId, delivery);
    return this.elsewhere.deliver(record, callId, delivery);
  }

  private live(runId: string, claim: SessionClaim): ActiveRun | undefined {
    const run = this.active.find(runId);
    if (run === undefined || run.agent !== this.sessions.agent) return undefined;
    return isReachedBy(run, claim) ? run : undefined;
  }
}

/** Whether a claim includes a run: by principal, or by session id for anonymous runs. */
function isReachedBy(run: ActiveRun, claim: SessionClaim): boolean {
  if (run.isHidden || run.principal !== claim.principal) return false;
  return run.principal !== undefined || run.sessionId === claim.sessionId;
}

/** Counts the iteration as a reader until it ends or the signal aborts. */
function attended(
  events: AsyncIterable<AgentEvent>,
  run: ActiveRun,
  signal: AbortSignal | undefined,
): AsyncIterable<AgentEvent> {
  async function* batches(): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    if (signal?.aborted === true) return;
    const leave = run.attend();
    const unlink = onceAborted(signal, leave);
    try {
      yield* batchesOf(events);
    } finally {
      unlink();
      leave();
    }
  }
  return new Batched(batches());
}

async function* joined<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}

/** Waits 50 to 150 ms: requests that were refused together do not come again together. */
export function pauseBeforeNext(): Promise<void> {
  return pause(50 + 100 * Math.random());
}
