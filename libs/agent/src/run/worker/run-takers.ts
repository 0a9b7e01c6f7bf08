import { Injectable } from '@nestjs/common';
import type { RunTaker } from './run-taker';

/** All agents of the application, for its worker. */
@Injectable()
export class RunTakers {
  private readonly agents = new Map<string | undefined, RunTaker>();

  add(taker: RunTaker): void {
    this.agents.set(taker.agent, taker);
  }

  of(agent: string | undefined): RunTaker | undefined {
    return this.agents.get(agent);
  }

  /** As `of`; the taker of any agent for one that this process does not have. */
  ofAny(agent: string | undefined): RunTaker | undefined {
    return this.of(agent) ?? this.agents.values().next().value;
  }
}
