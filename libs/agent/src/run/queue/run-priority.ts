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

/**
 * The priorities of all waiting runs, by run.
 *
 * @param inOrder the run that waits longest comes first
 */
export function prioritiesOf(
  inOrder: readonly { readonly runId: string; readonly owner: string | undefined }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string | undefined, number>();
  return new Map(
    inOrder.map(({ runId, owner }) => {
      const outstanding = counts.get(owner) ?? 0;
      counts.set(owner, outstanding + 1);
      return [runId, priorityOf(owner, outstanding)];
    }),
  );
}
