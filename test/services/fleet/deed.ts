import { writeSync } from 'node:fs';

/** A deed of a process. */
export interface Deed {
  readonly kind: 'speaks' | 'looks' | 'writes' | 'wrote' | 'puts' | 'unlocks' | 'dies';
  /** The message's. */
  readonly tag: string;
  /** Counts the run's steps from 0. */
  readonly step: number;
  /** Who did it, for a route. */
  readonly user?: string;
  /** The request's `Idempotency-Key`. */
  readonly key?: string;
  /** Where in the journal the process dies. */
  readonly point?: string;
}

/** Written at once, so that it is told even if the process is killed right after. */
export function tell(deed: Deed): void {
  writeSync(1, `${JSON.stringify(deed)}\n`);
}
