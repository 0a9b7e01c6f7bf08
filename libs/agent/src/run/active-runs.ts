import { Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { Delivery } from '../invocation';
import type { EventLog } from './event-log';
import type { StopCause } from './run-stop';
import { TooManyRunsError } from './run-errors';
import type { RunHandle } from './run-handle';
import { EVENTS_KEPT_MS } from './run.constants';

/** A run of this process. It holds nothing of the request, so that it may be kept for a while. */
export interface ActiveRun extends RunHandle {
  readonly principal?: string;
  /** Runs without a session are nobody's to look up. */
  readonly isEphemeral: boolean;
  readonly log: EventLog;
  stop(cause: StopCause): void;
  deliver(callId: string, delivery: Delivery): boolean;
}

/** A run that has its session, from before it begins until it gives the session back. */
export interface PreparedRun {
  readonly runId: string;
  readonly released: Promise<void>;
  stop(cause: StopCause): void;
}

/** The runs of this process: those under way, and for five minutes those that ended. */
@Injectable()
export class ActiveRuns implements OnModuleDestroy, OnApplicationShutdown {
  private readonly prepared = new Map<string, PreparedRun>();
  private readonly running = new Map<string, ActiveRun>();
  private readonly ended = new Map<string, { readonly run: ActiveRun; readonly until: number }>();
  private readonly counts = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private readonly shutdown = new AbortController();

  /** Aborted as soon as the application closes. */
  get closing(): AbortSignal {
    return this.shutdown.signal;
  }

  prepare(run: PreparedRun): void {
    this.prepared.set(run.runId, run);
    if (this.closing.aborted) run.stop('shutdown');
  }

  start(run: ActiveRun): void {
    this.ended.delete(run.runId);
    this.running.set(run.runId, run);
  }

  end(runId: string): void {
    this.prepared.delete(runId);
    const run = this.running.get(runId);
    if (run === undefined) return;
    this.running.delete(runId);
    if (run.isEphemeral) return;
    this.ended.set(runId, { run, until: Date.now() + EVENTS_KEPT_MS });
    this.timer ??= setInterval(() => this.sweep(), EVENTS_KEPT_MS / 5).unref();
  }

  find(runId: string): ActiveRun | undefined {
    return this.running.get(runId) ?? this.ended.get(runId)?.run;
  }

  isRunning(runId: string): boolean {
    return this.running.has(runId);
  }

  ofSession(sessionId: string): ActiveRun | undefined {
    for (const run of this.running.values()) if (run.sessionId === sessionId) return run;
    return undefined;
  }

  all(): readonly ActiveRun[] {
    return [...this.running.values()].filter(({ isEphemeral }) => !isEphemeral);
  }

  /**
   * Counts one more run of a principal, from before it begins. Returns what counts it off again; to
   * be called once or more.
   *
   * @throws TooManyRunsError where the principal has as many as the limit
   */
  enter(principal: string | undefined, limit: number): () => void {
    if (principal === undefined) return () => undefined;
    const count = this.counts.get(principal) ?? 0;
    if (count >= limit) throw new TooManyRunsError(limit);
    this.counts.set(principal, count + 1);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const left = (this.counts.get(principal) ?? 1) - 1;
      if (left > 0) this.counts.set(principal, left);
      else this.counts.delete(principal);
    };
  }

  /** Removes all trace of a session that was deleted. */
  forget(sessionId: string): void {
    for (const [runId, { run }] of this.ended) {
      if (run.sessionId === sessionId) this.ended.delete(runId);
    }
  }

  /** Stops a run, though it may only be about to begin, and waits until it is stored. */
  async stop(runId: string, cause: StopCause): Promise<void> {
    const prepared = this.prepared.get(runId);
    prepared?.stop(cause);
    await prepared?.released;
    await this.running.get(runId)?.finished;
  }

  /** Stops every run and waits until each is stored. */
  async stopAll(cause: StopCause): Promise<void> {
    const runs = [...this.running.values()];
    await Promise.all([...this.prepared.keys()].map((runId) => this.stop(runId, cause)));
    await Promise.all(runs.map((run) => run.finished));
  }

  /** Before the application closes what runs may need: its connections, above all the store's. */
  async onModuleDestroy(): Promise<void> {
    this.shutdown.abort();
    await this.stopAll('shutdown');
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.ended.clear();
  }

  private sweep(): void {
    const now = Date.now();
    for (const [runId, { until }] of this.ended) if (until <= now) this.ended.delete(runId);
    if (this.ended.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
