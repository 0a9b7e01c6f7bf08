import { writeSync } from 'node:fs';

/** An effect of a tool call. */
export interface Deed {
  readonly kind: 'speaks' | 'looks' | 'writes' | 'wrote' | 'puts' | 'unlocks' | 'dies';
  /** The message's. */
  readonly tag: string;
  /** Counts the run's steps from 0. */
  readonly step: number;
  /** The caller, for a route. */
  readonly user?: string;
  /** The request's `Idempotency-Key`. */
  readonly key?: string;
  /** Where in the journal the process dies. */
  readonly point?: string;
}

/** Written synchronously, so that it is recorded even if the process is killed right after. */
export function tell(deed: Deed): void {
  writeSync(1, `${JSON.stringify(deed)}\n`);
}
