/**
 * The place of a job: 0 is first. A principal's runs come after as many of others, so no one's runs delay
 * all others. The runs of an anonymous caller cannot be counted, because each session may be of another
 * one: they come with the second runs of principals, so that no flood of sessions overtakes a first one.
 *
 * @param outstanding the number of the principal's unfinished runs before this one
 */
export function priorityOf(principal: string | undefined, outstanding: number): number {
  return principal === undefined ? 1 : outstanding;
}

/** The places of many runs, by principals, which are told one after the other. */
export class RunPriorities {
  private readonly counts = new Map<string, number>();

  next(principal: string | undefined): number {
    if (principal === undefined) return priorityOf(principal, 0);
    const outstanding = this.counts.get(principal) ?? 0;
    this.counts.set(principal, outstanding + 1);
    return priorityOf(principal, outstanding);
  }
}
