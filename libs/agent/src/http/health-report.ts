import { Injectable } from '@nestjs/common';

/** The states of several things, by name. */
export type ReportedStates = Readonly<Record<string, string>>;

/** A part of `GET /health` that another module fills. */
type HealthPart = 'mcp';

/** Additions of other modules to `GET /health`: names and states only, because it is public. */
@Injectable()
export class HealthReport {
  private readonly sources = new Map<HealthPart, (() => ReportedStates)[]>();

  /** Adds states, which are read for each request. */
  add(part: HealthPart, states: () => ReportedStates): void {
    this.sources.set(part, [...(this.sources.get(part) ?? []), states]);
  }

  read(): { readonly [Part in HealthPart]?: ReportedStates } {
    const parts = [...this.sources].map(([part, sources]) => {
      const states = sources.flatMap((source) => Object.entries(source()));
      return [part, Object.fromEntries(states)] as const;
    });
    return Object.fromEntries(parts);
  }
}
