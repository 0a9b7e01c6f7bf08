import { defined } from '../../internal';
import type { Deliveries } from '../../invocation';
import type { Telemetry } from '../../telemetry';
import { AgentRun, type CallContext, type Tool } from '../../tool';
import type { Attendance } from './attendance';
import type { RunJournal, RunTelling } from '../record';
import { RunStop, type StopCause } from './run-stop';

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
  /** Tools of this run only. */
  readonly tools: readonly Tool[];
  readonly journal: RunJournal;
  /** Sends events to the run's readers. The journal sends those of its entries itself. */
  readonly telling: RunTelling;
  readonly attendance: Attendance;
  readonly abort: AbortController;
  readonly deliveries: Deliveries;
  readonly telemetry: Telemetry;
  /** The effect of frontend tools' calls; see `StartOptions`. */
  readonly frontend: 'wait' | 'park';
  /** Set if approvals are impossible; `isReadOnly` offers only read-only tools of the server. */
  readonly unattended?: { readonly isReadOnly: boolean };
  /** Releases the session. Idempotent; never rejects. */
  readonly release: () => Promise<void>;
}

export function stopRun(run: Pick<RunContext, 'abort'>, cause: StopCause): void {
  run.abort.abort(new RunStop(cause));
}

export function callContextOf(run: RunContext): CallContext {
  const { sessionId, principal, request, journal, abort } = run;
  return {
    ...defined({ runId: run.runId, sessionId, principal, request }),
    signal: abort.signal,
    context: run.context,
    run: new RunReference(run),
    tools: run.tools,
    rememberedTools: journal.state.rememberedTools,
    activateGroups: (active) => journal.append({ type: 'groups.changed', active }),
    ...(journal.state.activeGroups !== undefined && { activeGroups: journal.state.activeGroups }),
  };
}

class RunReference extends AgentRun {
  constructor(private readonly run: RunContext) {
    super();
  }

  get agentName(): string {
    return this.run.agentName;
  }

  get runId(): string {
    return this.run.runId;
  }

  get sessionId(): string {
    return this.run.sessionId ?? '';
  }

  cancel(): void {
    stopRun(this.run, 'cancelled');
  }
}
