import { Logger } from '@nestjs/common';
import { defined, once, onceAborted } from '../../internal';
import { Deliveries, keepClient } from '../../invocation';
import { type Message, NO_USAGE } from '../../message';
import { observedModel } from '../../model';
import type { QueuedRun } from '../../session';
import { type ActiveRun, type ActiveRuns, sessionOf } from './active-runs';
import { type AgentDirectory, AskedRuns } from '../asking';
import {
  AgentLoop,
  checkToolChoice,
  type LoopRequest,
  type LoopServices,
  type RequestedCall,
  RunEnding,
  type RunOutcome,
  type ToolsOfRun,
} from '../loop';
import {
  type AskedBy,
  Attendance,
  causeOf,
  onceUnattended,
  ownCause,
  promptFor,
  runOriginOf,
  outermost,
  type RunContext,
  type StopCause,
  stopRun,
} from '../context';
import {
  beforeOf,
  type ChatResult,
  chatResultOf,
  shownResult,
  type StartOptions,
  type ToolOf,
  toolsOf,
} from '../request';
import { RunTotals } from '../spending';
import type { RunBus } from '../bus';
import type { RunCaller } from '../queue';
import { EphemeralJournal, type HeldJournal } from '../record';
import { relay } from './relay';

export interface RunSetup {
  readonly options: StartOptions;
  /** The run's journal; it has the ids of the run and its session. */
  readonly journal: HeldJournal;
  /** The name of the session's agent, which a deployment may have removed; this agent's by default. */
  readonly agentName?: string;
  /** Missing if the run has only the tools of its options. */
  readonly tools?: ToolsOfRun;
  readonly unattended?: RunContext['unattended'];
  /** The call that asked this agent; missing if a user did. */
  readonly askedBy?: AskedBy;
  /** Set if a worker executes the run. */
  readonly worker?: WorkerSetup;
  /** Ends the run's count among its principal's; missing if it is not counted. */
  readonly leave?: () => void;
}

/** A run that a worker executes. */
export interface WorkerSetup {
  /** Gives the run back with the next append. */
  readonly queued: QueuedRun;
  /** The caller; missing for runs without a request, and until the worker has become the caller. */
  caller?: RunCaller;
}

/** The continuation of a waiting run. */
interface ResumedRun {
  /** The calls that still have to run, most of them approved ones. */
  readonly approved: readonly RequestedCall[];
  /** Why the run continues; because of answers by default. */
  readonly reason?: 'start' | 'resume' | 'recovery';
  /** Reports the answers to telemetry, if there are any. */
  tell?(): void;
}

/** Executes runs: acquires each run's resources, and releases them at its end. */
export class RunLauncher {
  private readonly logger = new Logger(RunLauncher.name);

  constructor(
    private readonly services: LoopServices,
    private readonly active: ActiveRuns,
    private readonly directory: AgentDirectory,
    private readonly bus: RunBus | null,
  ) {}

  /** Creates the run's context for `begin`, and releases the run if it fails. */
  async prepared<T>(setup: RunSetup, begin: (run: RunContext) => Promise<T>): Promise<T> {
    const run = this.prepare(setup);
    try {
      return await begin(run);
    } catch (error) {
      await run.release();
      throw error;
    }
  }

  /** Starts a run without a session, after this conversation. */
  stateless(
    runId: string,
    setup: Omit<RunSetup, 'journal'>,
    messages: readonly Message[],
    request: Omit<LoopRequest, 'systemPrompt'>,
  ): Promise<ActiveRun> {
    const { options, catalog, usage } = this.services;
    const { model, toolChoice } = request;
    const payer = { agent: options.name, owner: setup.options.principal };
    const journal = new EphemeralJournal(runId, messages, payer, usage);
    return this.prepared({ ...setup, journal }, async (run) => {
      await checkToolChoice(run, { catalog, model }, toolChoice);
      const startedAt = new Date().toISOString();
      await journal.append({ type: 'run.started', runId, modelName: model.name, startedAt });
      const systemPrompt = await promptFor(run, options.systemPrompt);
      return this.launch(run, { ...request, systemPrompt });
    });
  }

  /** The session stays locked until `release`. */
  private prepare(setup: RunSetup): RunContext {
    const { options, journal, unattended, askedBy, worker } = setup;
    const { runId, sessionId } = journal.emitter;
    const { principal, request } = options;
    keepClient(request);
    const abort = new AbortController();
    const deliveries = new Deliveries(journal.deliveries);
    const stopKeeping = journal.keep?.({
      onLost: () => {
        run.telemetry.measure(() => ({ type: 'lease.lost' }));
        stopRun(run, 'lease_lost');
      },
      onSignals: ({ stop }) => {
        if (stop === runId) stopRun(run, 'cancelled');
      },
    });
    const attendance = new Attendance();
    const cancel = (): void => stopRun(run, causeOf(askedBy));
    const isAttended = async (): Promise<boolean> =>
      attendance.isAttended || (await journal.isAttendedElsewhere?.()) === true;
    let stopWatching = (): void => undefined;
    const unlink = onceAborted(options.signal, () => {
      const { graceMs = 0 } = options;
      if (graceMs > 0) stopWatching = onceUnattended(graceMs, isAttended, cancel);
      else cancel();
    });
    let tellReleased!: () => void;
    const whenReleased = new Promise<void>((resolve) => (tellReleased = resolve));
    const release = once(async () => {
      stopKeeping?.();
      unlink();
      stopWatching();
      this.active.end(prepared);
      setup.leave?.();
      await journal
        .release?.()
        .catch(() => this.logger.warn(`The lease of run ${runId} could not be released.`));
      tellReleased();
    });
    const own = [...(options.tools ?? []), ...(setup.tools?.(deliveries) ?? [])];
    const run: RunContext = {
      agentName: setup.agentName ?? this.services.options.name,
      ...defined({ runId, sessionId: sessionId || undefined, principal }),
      get request() {
        return worker?.caller ? worker.caller.request : request;
      },
      context: options.context ?? [],
      tools: own,
      journal,
      emitter: journal.emitter,
      attendance,
      abort,
      deliveries,
      telemetry: this.services.telemetry,
      frontend: options.frontend ?? 'park',
      ...(unattended && { unattended }),
      totals: new RunTotals(this.services.options.budget, askedBy && askingTotals(askedBy)),
      callIds: askedBy?.run.callIds ?? new Set(),
      questions: askedBy?.run.questions ?? { asked: 0 },
      asking: new AskedRuns(this.directory, this.services.catalog, this.services.options.agents),
      ...(askedBy && { askedBy }),
      ...(worker && {
        worker: {
          queued: worker.queued,
          isLeaving: () => this.active.closing.aborted,
          renew: async () => (await worker.caller?.renew(abort.signal)) ?? true,
        },
      }),
      release,
    };
    if (askedBy) journal.emitter.passOn(this.services.options.name, askedBy);
    const stop = (cause: StopCause): void => stopRun(run, ownCause(cause, run));
    const prepared = {
      runId,
      ...sessionOf(run, this.services.options.agent),
      released: whenReleased,
      stop,
    };
    this.active.prepare(prepared);
    if (worker && options.graceMs)
      stopWatching = onceUnattended(options.graceMs, isAttended, cancel);
    return run;
  }

  /**
   * Starts the loop without waiting for it.
   *
   * @param resumed set for a resumed run
   */
  launch(run: RunContext, request: LoopRequest, resumed?: ResumedRun): ActiveRun {
    const { telemetry } = run;
    const { waitedIn, requestedIn } = run.journal.state.run ?? {};
    const outcome = telemetry.around('run', {
      info: () => ({
        ...runOriginOf(run),
        runId: outermost(run).runId,
        ...observedModel(request.model),
        reason: resumed ? (resumed.reason ?? ('resume' as const)) : ('start' as const),
        ...(resumed && defined({ waitedIn })),
        ...(run.worker && defined({ requestedIn })),
      }),
      work: () => {
        resumed?.tell?.();
        return new AgentLoop(run, request, this.services).go(resumed?.approved);
      },
      end: ({ status, stopReason, usage, failure }) => ({
        status,
        stopReason,
        usage,
        steps: run.journal.state.run?.steps ?? 0,
        ...(failure && { errorCode: failure.code }),
      }),
      // The loop never rejects: failures are outcomes.
      failed: () => ({ status: 'failed', stopReason: 'error', usage: NO_USAGE, steps: 0 }),
    });
    return this.follow(run, outcome);
  }

  /** Ends a run whose loop does not continue it: it was stopped, or has failed with this error. */
  breakOff(run: RunContext, error?: unknown): Promise<ChatResult> {
    const { state } = run.journal;
    run.totals.begin(state);
    run.totals.keepText(state);
    return this.follow(run, new RunEnding(run).breakOff(error)).finished;
  }

  /** Registers the run as active until its outcome. */
  private follow(run: RunContext, outcome: Promise<RunOutcome>): ActiveRun {
    const { runId, abort, deliveries } = run;
    const { feed } = run.emitter;
    const active: ActiveRun = {
      runId,
      ...sessionOf(run, this.services.options.agent),
      ...beforeOf(run.journal.state.run, feed.offset),
      isWorkers: run.worker !== undefined,
      feed,
      attend: () => run.attendance.enter(),
      finished: resultOf(run, outcome, toolsOf(this.services.catalog, run.tools)),
      events: (after) => feed.read(after),
      cancel: () => stopRun({ abort }, 'cancelled'),
      stop: (cause) => stopRun({ abort }, ownCause(cause, run)),
      deliver: async (callId, delivery) =>
        !abort.signal.aborted && (await deliveries.deliver(callId, delivery)),
    };
    this.active.start(active);
    if (!active.isHidden && this.bus) relay(run, this.bus, this.logger);
    return active;
  }
}

function askingTotals({ run, callId }: AskedBy): ConstructorParameters<typeof RunTotals>[1] {
  return {
    totals: run.totals,
    spend: (modelName, usage) => run.emitter.progress.spend(callId, modelName, usage),
  };
}

/** A separate function, so that a finished run's handle does not keep its history in memory. */
function resultOf(
  { runId, sessionId = '', journal }: RunContext,
  outcome: Promise<RunOutcome>,
  toolOf: ToolOf,
): Promise<ChatResult> {
  return outcome.then((ended) => {
    const { calls = [] } = journal.state.run ?? {};
    return shownResult(chatResultOf({ sessionId, runId, ...ended, calls }), toolOf, calls);
  });
}
