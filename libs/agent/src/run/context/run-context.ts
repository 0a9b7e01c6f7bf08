import { defined, LONGEST_TIMER_MS } from '../../internal';
import type { Deliveries } from '../../invocation';
import { originOf, type Telemetry } from '../../telemetry';
import { AgentRun, type CallContext, type Tool } from '../../tool';
import type { Attendance } from './attendance';
import type { Asking } from './asking';
import type { RunJournal, RunEmitter } from '../record';
import type { RunTotals } from '../spending';
import type { QueuedRun } from '../../session';
import type { RunBudget } from '../request';
import { RunStop, type StopCause, stopCauseOf } from './run-stop';

/** The context of an active run. */
export interface RunContext {
  readonly agentName: string;
  readonly runId: string;
  /** Missing for stateless runs. */
  readonly sessionId?: string;
  readonly principal?: string;
  readonly request?: unknown;
  /** Instances injected by type. */
  readonly context: readonly object[];
  readonly tools: readonly Tool[];
  readonly journal: RunJournal;
  /** Sends events to the run's readers. The journal sends those of its entries itself. */
  readonly emitter: RunEmitter;
  readonly attendance: Attendance;
  readonly abort: AbortController;
  readonly deliveries: Deliveries;
  readonly telemetry: Telemetry;
  /** The effect of frontend tools' calls; see `StartOptions`. */
  readonly frontend: 'wait' | 'park';
  /** Set if approvals are impossible; `isReadOnly` offers only read-only tools of the server. */
  readonly unattended?: { readonly isReadOnly: boolean };
  readonly totals: RunTotals;
  /** The ids of all calls of the conversation and of the asked agents. */
  readonly callIds: Set<string>;
  /** Counts the questions of the run and of the agents that it asks. */
  readonly questions: { asked: number };
  readonly asking: Asking;
  /** The call that asked this agent; missing if a user did. */
  readonly askedBy?: AskedBy;
  /** Set if a worker executes the run. */
  readonly worker?: WorkerRun;
  /** Releases the session. Idempotent; never rejects. */
  readonly release: () => Promise<void>;
}

interface WorkerRun {
  /** Gives the run back with the next append. */
  readonly queued: QueuedRun;
  /** Whether this process is closing, so that the run must return to the queue before its next step. */
  isLeaving(): boolean;
  /**
   * Renews the caller's credential if it expires.
   *
   * @returns `false` if that is impossible now: the run must return to the queue
   * @throws CredentialsRefusedError if the caller is refused now
   */
  renew(): Promise<boolean>;
}

export function stopRun(run: Pick<RunContext, 'abort'>, cause: StopCause): void {
  run.abort.abort(new RunStop(cause));
}

/** Stops the run after the duration of its budget. Returns a function that clears the timer. */
export function limitDuration(run: RunContext, { durationMs }: RunBudget): () => void {
  if (durationMs === undefined) return () => undefined;
  const timer = setTimeout(() => stopRun(run, 'budget'), Math.min(durationMs, LONGEST_TIMER_MS));
  timer.unref();
  return () => clearTimeout(timer);
}

/** The cause for this run: closing the process does not end a worker's run. */
export function ownCause(cause: StopCause, { worker }: Pick<RunContext, 'worker'>): StopCause {
  return cause === 'shutdown' && worker ? 'suspended' : cause;
}

/** The cause of an asked agent's stop: that of the asking run. */
export function causeOf(askedBy: AskedBy | undefined): StopCause {
  const cause = (askedBy && stopCauseOf(askedBy.run.abort.signal)) ?? 'cancelled';
  return cause === 'suspended' ? 'shutdown' : cause;
}

/** The call of another run that asked an agent. */
export interface AskedBy {
  readonly run: RunContext;
  readonly callId: string;
}

/** The run that a user started; the run itself unless it belongs to an asked agent. */
export function outermost(run: RunContext): RunContext {
  return run.askedBy ? outermost(run.askedBy.run) : run;
}

/** The origin for telemetry: an asked agent's work counts for the run that a user started. */
export function runOriginOf(run: RunContext): ReturnType<typeof originOf> {
  return originOf(outermost(run));
}

export function callContextOf(run: RunContext): CallContext {
  const { principal, request, journal, abort } = run;
  const { runId, sessionId } = outermost(run);
  return {
    ...defined({ runId, sessionId, principal, request }),
    signal: abort.signal,
    context: run.context,
    run: new RunReference(run),
    tools: run.tools,
    rememberedTools: journal.state.rememberedTools,
    activateGroups: (active) => journal.append({ type: 'groups.changed', active }),
    ...(journal.state.activeGroups !== undefined && { activeGroups: journal.state.activeGroups }),
  };
}

export class RunReference extends AgentRun {
  constructor(private readonly run: RunContext) {
    super();
  }

  /** The context of the run that made a call. */
  static of({ run }: CallContext): RunContext | undefined {
    return run instanceof RunReference ? run.run : undefined;
  }

  get agentName(): string {
    return this.run.agentName;
  }

  get runId(): string {
    return outermost(this.run).runId;
  }

  get sessionId(): string {
    return outermost(this.run).sessionId ?? '';
  }

  cancel(): void {
    stopRun(outermost(this.run), 'cancelled');
  }
}
