import type { Deliveries } from '../../invocation';
import type { Telemetry } from '../../telemetry';
import { AgentRun, type CallContext, type Tool } from '../../tool';
import type { Attendance } from './attendance';
import type { RunJournal, RunTelling } from '../record';
import { RunStop, type StopCause } from './run-stop';

/** What belongs to one run while a process carries it out. */
export interface RunContext {
  readonly agentName: string;
  readonly runId: string;
  /** Missing for a run that nobody keeps. */
  readonly sessionId?: string;
  readonly principal?: string;
  readonly request?: unknown;
  /** Instances injected by type. */
  readonly context: readonly object[];
  /** Tools of this run only. */
  readonly tools: readonly Tool[];
  readonly journal: RunJournal;
  /** What the run's readers hear: of the journal's entries by themselves, of the rest through this. */
  readonly telling: RunTelling;
  readonly attendance: Attendance;
  readonly abort: AbortController;
  readonly deliveries: Deliveries;
  readonly telemetry: Telemetry;
  /** What becomes of calls that the caller carries out. */
  readonly frontend: 'wait' | 'park';
  /** Nobody can be asked for approval; `isReadOnly`: only what changes nothing is offered. */
  readonly unattended?: { readonly isReadOnly: boolean };
  /** Frees the session for the next run. May be called more than once; never rejects. */
  readonly release: () => Promise<void>;
}

export function stopRun(run: Pick<RunContext, 'abort'>, cause: StopCause): void {
  run.abort.abort(new RunStop(cause));
}

/** What a run's calls share. */
export function callContextOf(run: RunContext): CallContext {
  const { sessionId, principal, request, journal, abort } = run;
  return {
    runId: run.runId,
    ...(sessionId !== undefined && { sessionId }),
    ...(principal !== undefined && { principal }),
    ...(request !== undefined && { request }),
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
