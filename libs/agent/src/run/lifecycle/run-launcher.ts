import { Inject, Injectable, Logger } from '@nestjs/common';
import { thrownText } from '../../internal';
import { Deliveries } from '../../invocation';
import { NO_USAGE } from '../../message';
import type { LeaseSignals } from '../../session';
import { originOf } from '../../telemetry';
import { ActiveRuns, type ActiveRun } from './active-runs';
import type { ToolsOfRun } from './client-tools';
import {
  AgentLoop,
  Attendance,
  type LoopRequest,
  LoopServices,
  onceUnattended,
  type RequestedCall,
  type RunContext,
  type RunOutcome,
  stopRun,
} from '../loop';
import {
  type ChatResult,
  chatResultOf,
  RUN_BUS,
  shownResult,
  type StartOptions,
  type ToolOf,
  toolsOf,
} from '../request';
import type { RunBus, RunChannel } from '../bus';
import type { HeldJournal } from '../record';

export interface RunSetup {
  readonly runId: string;
  /** Missing for a run that nobody keeps. */
  readonly sessionId?: string;
  readonly options: StartOptions;
  readonly journal: HeldJournal;
  /** Missing where the run has none but its options'. */
  readonly tools?: ToolsOfRun;
  readonly unattended?: RunContext['unattended'];
  /** Counts the run off, among its principal's; missing where it was not counted. */
  readonly leave?: () => void;
}

/** How a run goes on after a wait. */
export interface ResumedRun {
  readonly approved: readonly RequestedCall[];
  /** Tells telemetry of the answers. */
  tell(): void;
}

/** Carries runs out: gives each what belongs to it, and takes it away again at its end. */
@Injectable()
export class RunLauncher {
  private readonly logger = new Logger(RunLauncher.name);

  constructor(
    private readonly services: LoopServices,
    private readonly active: ActiveRuns,
    @Inject(RUN_BUS) private readonly bus: RunBus | null,
  ) {}

  /** As `prepare`, and releases the run where it does not begin. */
  async prepared<T>(setup: RunSetup, begin: (run: RunContext) => Promise<T>): Promise<T> {
    const run = this.prepare(setup);
    try {
      return await begin(run);
    } catch (error) {
      await run.release();
      throw error;
    }
  }

  /** All a run has; the session stays taken until the run's `release`. */
  prepare(setup: RunSetup): RunContext {
    const { runId, sessionId, options, journal, unattended } = setup;
    const abort = new AbortController();
    const deliveries = new Deliveries(journal.deliveries);
    const stopKeeping = journal.keep({
      onLost: () => stopRun(run, 'lease_lost'),
      onSignals: (signals) => heed(run, signals),
    });
    const attendance = new Attendance();
    const cancel = (): void => stopRun(run, 'cancelled');
    const isAttended = async (): Promise<boolean> =>
      attendance.isAttended || (await journal.isAttendedElsewhere());
    let stopWatching = (): void => undefined;
    const unlink = linkSignal(options.signal, () => {
      const { graceMs = 0 } = options;
      if (graceMs > 0) stopWatching = onceUnattended(graceMs, isAttended, cancel);
      else cancel();
    });
    let released: Promise<void> | undefined;
    let tellReleased!: () => void;
    const whenReleased = new Promise<void>((resolve) => (tellReleased = resolve));
    const free = async (): Promise<void> => {
      stopKeeping();
      unlink();
      stopWatching();
      this.active.end(runId);
      setup.leave?.();
      await journal
        .release()
        .catch(() => this.logger.warn(`The lease of run ${runId} could not be given back.`));
      tellReleased();
    };
    const own = [...(options.tools ?? []), ...(setup.tools?.(deliveries) ?? [])];
    const run: RunContext = {
      agentName: this.services.options.name,
      runId,
      ...(sessionId !== undefined && { sessionId }),
      ...(options.principal !== undefined && { principal: options.principal }),
      ...(options.request !== undefined && { request: options.request }),
      context: options.context ?? [],
      tools: own,
      journal,
      telling: journal.telling,
      attendance,
      abort,
      deliveries,
      telemetry: this.services.telemetry,
      frontend: options.frontend ?? 'park',
      ...(unattended && { unattended }),
      release: () => (released ??= free()),
    };
    this.active.prepare({ runId, released: whenReleased, stop: (cause) => stopRun(run, cause) });
    return run;
  }

  /**
   * Sets the loop going and answers at once.
   *
   * @param resumed where the run goes on after a wait
   */
  launch(run: RunContext, request: LoopRequest, resumed?: ResumedRun): ActiveRun {
    const { telemetry } = run;
    const { name: model, provider = 'custom' } = request.model;
    const outcome = telemetry.around('run', {
      info: () => ({
        ...originOf(run),
        runId: run.runId,
        model,
        provider,
        reason: resumed ? ('resume' as const) : ('start' as const),
      }),
      work: () => {
        resumed?.tell();
        return new AgentLoop(run, request, this.services).go(resumed?.approved);
      },
      end: ({ status, stopReason, usage, failure }) => ({
        status,
        stopReason,
        usage,
        ...(failure && { errorCode: failure.code }),
      }),
      // The loop tells of failures by its outcome.
      failed: () => ({ status: 'failed', stopReason: 'error', usage: NO_USAGE }),
    });
    return this.follow(run, outcome);
  }

  /** Keeps a run among the active ones until its outcome is there. */
  follow(run: RunContext, outcome: Promise<RunOutcome>): ActiveRun {
    const { runId, sessionId = '', principal, abort, deliveries } = run;
    const { feed } = run.telling;
    const state = run.journal.state.run;
    const active: ActiveRun = {
      runId,
      sessionId,
      ...(principal !== undefined && { principal }),
      model: state?.modelName ?? '',
      before: { usage: state?.usage ?? NO_USAGE, calls: (state?.calls ?? []).map(({ id }) => id) },
      isEphemeral: run.sessionId === undefined,
      feed,
      attend: () => run.attendance.enter(),
      finished: resultOf(run, outcome, toolsOf(this.services.catalog, run.tools)),
      events: (after) => feed.read(after),
      cancel: () => stopRun({ abort }, 'cancelled'),
      stop: (cause) => stopRun({ abort }, cause),
      deliver: async (callId, delivery) =>
        !abort.signal.aborted && (await deliveries.deliver(callId, delivery)),
    };
    this.active.start(active);
    if (run.sessionId !== undefined && this.bus) this.relay(run, this.bus);
    return active;
  }

  /** A bus that fails costs readers elsewhere a second, and the run nothing. */
  private relay(run: RunContext, bus: RunBus): void {
    const { runId, telling, deliveries } = run;
    let channel: RunChannel | undefined;
    const attempt = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        this.logger.warn(`Run ${runId} is not on the bus: ${thrownText(error)}`);
        const broken = channel;
        channel = undefined;
        // Its readers turn to the store.
        if (broken) attempt(() => broken.close());
      }
    };
    attempt(() => {
      channel = bus.open({
        runId,
        lastSeq: telling.feed.offset,
        onSignal: (signal) => {
          if (signal.type === 'stop') stopRun(run, 'cancelled');
          else void deliveries.look(signal.callId);
        },
      });
    });
    if (channel === undefined) return;
    telling.relayTo({
      publish: (events) => attempt(() => channel?.publish(events)),
      close: () => attempt(() => channel?.close()),
    });
  }
}

/** What other processes want of the run. */
function heed(run: RunContext, { stop }: LeaseSignals): void {
  if (stop === run.runId) stopRun(run, 'cancelled');
}

/** Apart from what is kept of a run that is over: that shall not hold its history. */
function resultOf(
  { runId, sessionId = '', journal }: RunContext,
  outcome: Promise<RunOutcome>,
  toolOf: ToolOf,
): Promise<ChatResult> {
  return outcome.then((ended) =>
    shownResult(
      chatResultOf({ sessionId, runId, ...ended, calls: journal.state.run?.calls ?? [] }),
      toolOf,
    ),
  );
}

/** Calls back when the signal is aborted, at once where it is already. Returns what ends the link. */
function linkSignal(signal: AbortSignal | undefined, onAbort: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) queueMicrotask(onAbort);
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}
