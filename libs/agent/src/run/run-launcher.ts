import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  Deliveries,
  TOOL_DEFAULTS,
  ToolCallFactory,
  ToolCatalog,
  type ToolDefaults,
} from '../invocation';
import { SESSION_STORE, type SessionStore } from '../session';
import type { Tool } from '../tool';
import { ActiveRuns, type ActiveRun } from './active-runs';
import { AgentLoop, type LoopRequest, type LoopServices } from './agent-loop';
import type { ChatOptions } from './chat-input';
import type { ChatResult } from './chat-result';
import { chatResultOf } from './chat-result.mapper';
import { EventLog } from './event-log';
import { keepLease } from './lease-keeper';
import { stopRun, type RunContext } from './run-context';
import { StoredJournal, type RunJournal } from './run-journal';
import type { RunOptions } from './run-options';
import { RunCompaction } from './run-compaction';
import type { RunOutcome } from './run-ending';
import { RUN_OPTIONS } from './run.constants';
import type { RequestedCall } from './tool-step';

export interface RunSetup {
  readonly runId: string;
  /** Missing for a run that nobody keeps. */
  readonly sessionId?: string;
  readonly options: ChatOptions;
  readonly frontend: 'wait' | 'park';
  readonly journal: RunJournal;
  /** The number of the run's last event, where it goes on after a wait. */
  readonly seq?: number;
  readonly tools: (deliveries: Deliveries) => readonly Tool[];
  readonly unattended?: RunContext['unattended'];
  /** Counts the run off, among its principal's. */
  readonly leave: () => void;
}

/** Carries runs out: gives each what belongs to it, and takes it away again at its end. */
@Injectable()
export class RunLauncher {
  private readonly logger = new Logger(RunLauncher.name);
  readonly services: LoopServices;

  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(TOOL_DEFAULTS) defaults: ToolDefaults,
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    calls: ToolCallFactory,
    catalog: ToolCatalog,
    private readonly active: ActiveRuns,
  ) {
    const { parallel, maxConcurrency } = defaults;
    const { actionTimeoutMs } = options;
    this.services = {
      calls,
      catalog,
      options,
      parallel,
      maxConcurrency,
      actionTimeoutMs,
      ...(options.compaction && { compaction: new RunCompaction(options.compaction) }),
    };
  }

  /** All a run has; the session stays taken until the run's `release`. */
  prepare(setup: RunSetup): RunContext {
    const { runId, sessionId, options, frontend, journal, seq, tools, unattended } = setup;
    const abort = new AbortController();
    const deliveries = new Deliveries();
    const stopKeeping =
      journal instanceof StoredJournal
        ? keepLease(this.store, journal.lease, this.options.leaseMs, () =>
            stopRun(run, 'lease_lost'),
          )
        : () => undefined;
    const unlink = linkSignal(options.signal, () => stopRun(run, 'cancelled'));
    let released: Promise<void> | undefined;
    let tellReleased!: () => void;
    const whenReleased = new Promise<void>((resolve) => (tellReleased = resolve));
    const free = async (): Promise<void> => {
      stopKeeping();
      unlink();
      this.active.end(runId);
      setup.leave();
      if (journal instanceof StoredJournal) {
        await this.store
          .release(journal.lease)
          .catch(() => this.logger.warn(`The lease of run ${runId} could not be given back.`));
      }
      tellReleased();
    };
    const run: RunContext = {
      agentName: this.options.name,
      runId,
      ...(sessionId !== undefined && { sessionId }),
      ...(options.principal !== undefined && { principal: options.principal }),
      ...(options.request !== undefined && { request: options.request }),
      context: options.context ?? [],
      tools: [...(options.tools ?? []), ...tools(deliveries)],
      journal,
      log: this.logOf(runId, seq),
      abort,
      deliveries,
      frontend,
      ...(unattended && { unattended }),
      release: () => (released ??= free()),
    };
    this.active.prepare({ runId, released: whenReleased, stop: (cause) => stopRun(run, cause) });
    return run;
  }

  /** Sets the loop going and answers at once. */
  launch(run: RunContext, request: LoopRequest, approved?: readonly RequestedCall[]): ActiveRun {
    return this.follow(run, new AgentLoop(run, request, this.services).go(approved));
  }

  /** Keeps a run among the active ones until its outcome is there. */
  follow(run: RunContext, outcome: Promise<RunOutcome>): ActiveRun {
    const { runId, sessionId = '', principal, log, abort, deliveries } = run;
    const active: ActiveRun = {
      runId,
      sessionId,
      ...(principal !== undefined && { principal }),
      isEphemeral: run.sessionId === undefined,
      log,
      finished: resultOf(run, outcome),
      events: (after) => log.read(after),
      cancel: () => stopRun({ abort }, 'cancelled'),
      stop: (cause) => stopRun({ abort }, cause),
      deliver: (callId, delivery) => !abort.signal.aborted && deliveries.deliver(callId, delivery),
    };
    this.active.start(active);
    return active;
  }

  private logOf(runId: string, seq: number | undefined): EventLog {
    if (seq === undefined) return new EventLog(runId);
    const earlier = this.active.find(runId)?.log.all() ?? [];
    return earlier.length > 0 ? new EventLog(runId, earlier) : new EventLog(runId, [], seq);
  }
}

/** Apart from what is kept of a run that is over: that shall not hold its history. */
function resultOf(
  { runId, sessionId = '', journal }: RunContext,
  outcome: Promise<RunOutcome>,
): Promise<ChatResult> {
  return outcome.then((ended) =>
    chatResultOf({ sessionId, runId, ...ended, calls: journal.state.run?.calls ?? [] }),
  );
}

/** Calls back when the signal is aborted, at once where it is already. Returns what ends the link. */
function linkSignal(signal: AbortSignal | undefined, onAbort: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) queueMicrotask(onAbort);
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}
