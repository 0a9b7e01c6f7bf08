/**
 * The priority of a job; 0 is first. A principal's n-th run comes after the n-th runs of others, so
 * no principal delays all others. Anonymous runs cannot be counted per caller: they have the priority
 * of second runs, so that many anonymous sessions never delay a principal's first run.
 *
 * @param outstanding the number of the principal's unfinished runs before this one
 */
export function priorityOf(principal: string | undefined, outstanding: number): number {
  return principal === undefined ? 1 : outstanding;
}

/** The priorities of many runs, passed in order. */
export class RunPriorities {
  private readonly counts = new Map<string, number>();

  next(principal: string | undefined): number {
    if (principal === undefined) return priorityOf(principal, 0);
    const outstanding = this.counts.get(principal) ?? 0;
    this.counts.set(principal, outstanding + 1);
    return priorityOf(principal, outstanding);
  }
}
