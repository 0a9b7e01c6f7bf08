import { Injectable } from '@nestjs/common';

/** The states of several things, by name. */
export type ReportedStates = Readonly<Record<string, string>>;

/** The states of MCP servers in `GET /health`: names and states only, because it is public. */
@Injectable()
export class HealthReport {
  private readonly sources: (() => ReportedStates)[] = [];

  /** Adds servers, whose states are read for each request. */
  add(states: () => ReportedStates): void {
    this.sources.push(states);
  }

  read(): { readonly mcp?: ReportedStates } {
    if (this.sources.length === 0) return {};
    return { mcp: Object.fromEntries(this.sources.flatMap((states) => Object.entries(states()))) };
  }
}
