import { setMaxListeners } from 'node:events';
import { Injectable, Optional } from '@nestjs/common';
import { Tally } from '../../internal';
import type { Delivery } from '../../invocation';
import { SessionBusyError, TooManyRunsError } from '../../session';
import { Telemetry } from '../../telemetry';
import type { EventFeed } from '../record';
import type { RunContext, StopCause } from '../context';
import { QueueFullError, type RunHandle, ShuttingDownError } from '../request';

/**
 * A run of this process. It does not reference the request, because readers may keep it for long.
 */
export interface ActiveRun extends RunHandle {
  readonly principal?: string;
  /** The further agent that it belongs to; `undefined` for the application's own. */
  readonly agent: string | undefined;
  /** Stateless runs, and those of asked agents, cannot be looked up. */
  readonly isHidden: boolean;
  /** Whether the run returns to the queue when this process closes. */
  readonly isWorkers: boolean;
  readonly feed: EventFeed;
  /** Counts a reader until the returned function is called. */
  attend(): () => void;
  stop(cause: StopCause): void;
  deliver(callId: string, delivery: Delivery): Promise<boolean>;
}

/** The session of a run; see `ActiveRun`. */
type SessionOfRun = Pick<ActiveRun, 'sessionId' | 'principal' | 'agent' | 'isHidden'>;

/** A run from the acquisition of its session to the release. */
interface PreparedRun extends SessionOfRun {
  readonly runId: string;
  readonly released: Promise<void>;
  stop(cause: StopCause): void;
}

/** The active runs of this process. Finished and waiting runs are only in the store. */
@Injectable()
export class ActiveRuns {
  private readonly prepared = new Map<string, PreparedRun>();
  private readonly running = new Map<string, ActiveRun>();
  /** By principal; `undefined` for anonymous callers, whose runs are not limited. */
  private readonly counts = new Tally<string | undefined>();
  private isStopping = false;
  private tellIdle: () => void = () => undefined;
  private readonly shutdown = new AbortController();

  constructor(@Optional() private readonly telemetry: Telemetry = new Telemetry()) {
    // Every reader of another process's run adds a listener: no leak that Node should warn of.
    setMaxListeners(0, this.shutdown.signal);
  }

  /** Aborted on shutdown: no run starts any more. */
  get closing(): AbortSignal {
    return this.shutdown.signal;
  }

  prepare(run: PreparedRun): void {
    this.prepared.set(run.runId, run);
    if (this.isStopping) run.stop('shutdown');
  }

  start(run: ActiveRun): void {
    this.running.set(run.runId, run);
  }

  /** No effect if the run was prepared again: after a lost lease, the old run may end last. */
  end(run: PreparedRun): void {
    const { runId } = run;
    if (this.prepared.get(runId) !== run) return;
    this.prepared.delete(runId);
    this.running.delete(runId);
  }

  find(runId: string): ActiveRun | undefined {
    return this.running.get(runId);
  }

  /** Whether the run is active or starting in this process. */
  isHere(runId: string): boolean {
    return this.prepared.has(runId);
  }

  ofSession(sessionId: string): ActiveRun | undefined {
    for (const run of this.running.values()) if (run.sessionId === sessionId) return run;
    return undefined;
  }

  /**
   * Counts a run of a principal, until `leave` is called or `begin` fails.
   *
   * @throws ShuttingDownError on shutdown
   * @throws TooManyRunsError if the principal has reached the limit
   */
  async admitted<T>(
    principal: string | undefined,
    limit: number,
    begin: (leave: () => void) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.counted(begin, principal, limit);
    } catch (error) {
      this.tellRefused(error);
      throw error;
    }
  }

  /**
   * As `admitted`, for a run that another process has admitted.
   *
   * @throws ShuttingDownError on shutdown
   */
  async counted<T>(
    begin: (leave: () => void) => Promise<T>,
    principal?: string,
    limit = Infinity,
  ): Promise<T> {
    const leave = this.enter(principal, limit);
    try {
      return await begin(leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  private tellRefused(error: unknown): void {
    const reason =
      error instanceof TooManyRunsError
        ? 'too_many_runs'
        : error instanceof SessionBusyError
          ? 'session_busy'
          : error instanceof QueueFullError
            ? 'queue_full'
            : undefined;
    if (reason) this.telemetry.measure(() => ({ type: 'run.refused', reason }));
  }

  private enter(principal: string | undefined, limit: number): () => void {
    if (this.closing.aborted) throw new ShuttingDownError();
    const count = principal === undefined ? 0 : this.counts.of(principal);
    if (count >= limit) throw new TooManyRunsError(limit);
    const leave = this.counts.add(principal);
    return () => {
      leave();
      if (this.counts.isEmpty) this.tellIdle();
    };
  }

  /** Stops an active or starting run and waits until its end is stored. */
  async stop(runId: string, cause: StopCause): Promise<void> {
    const prepared = this.prepared.get(runId);
    prepared?.stop(cause);
    await prepared?.released;
    await this.running.get(runId)?.finished;
  }

  /**
   * Cancels the runs of sessions that match, active or starting, and waits until each end is stored.
   *
   * @returns their sessions
   */
  async cancelAll(matches: (run: SessionOfRun) => boolean): Promise<readonly SessionOfRun[]> {
    const runs = [...this.prepared.values()].filter((run) => !run.isHidden && matches(run));
    await Promise.all(runs.map(({ runId }) => this.stop(runId, 'cancelled')));
    return runs;
  }

  /** Refuses new runs; resolves when the active ones have ended. */
  close(): Promise<void> {
    this.shutdown.abort();
    if (this.counts.isEmpty) return Promise.resolve();
    return new Promise((resolve) => (this.tellIdle = resolve));
  }

  /** Stops every active or starting run and waits until each end is stored. */
  async stopAll(): Promise<void> {
    this.isStopping = true;
    const runs = [...this.running.values()];
    await Promise.all([...this.prepared.keys()].map((runId) => this.stop(runId, 'shutdown')));
    await Promise.all(runs.map((run) => run.finished));
  }
}

/** @param agent the further agent that the run belongs to, if any */
export function sessionOf(
  { sessionId = '', principal, askedBy }: RunContext,
  agent: string | undefined,
): SessionOfRun {
  const isHidden = sessionId === '' || askedBy !== undefined;
  return { sessionId, ...(principal !== undefined && { principal }), agent, isHidden };
}
