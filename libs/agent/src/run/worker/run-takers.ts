import { Injectable } from '@nestjs/common';
import type { WaitingRun } from '../../session';
import type { JobDelay, RunJob } from '../queue';

/** A worker's operations for one agent. */
export interface AgentWorker {
  /** The further agent; `undefined` for the application's own. */
  readonly agent: string | undefined;
  /** Takes up a run. @returns the delay of its job; `undefined` if it is done */
  take(job: RunJob): Promise<JobDelay>;
  /** Ends a run that no worker took up in time. */
  expire(run: WaitingRun): Promise<void>;
}

/** All agents of the application, for its worker. */
@Injectable()
export class RunTakers {
  private readonly agents = new Map<string | undefined, AgentWorker>();

  add(worker: AgentWorker): void {
    this.agents.set(worker.agent, worker);
  }

  of(agent: string | undefined): AgentWorker | undefined {
    return this.agents.get(agent);
  }

  /** As `of`; the worker of any agent for one that this process does not have. */
  ofAny(agent: string | undefined): AgentWorker | undefined {
    return this.of(agent) ?? this.agents.values().next().value;
  }
}
