/** An expected item and a made one that fit, by their indexes. */
type Pair = readonly [expected: number, made: number];

type Fits = (expected: number, made: number) => boolean;

/** As many pairs as possible whose items come in the same order on both sides. */
export function pairsInOrder(expected: number, made: number, fits: Fits): readonly Pair[] {
  // The longest common subsequence: `longest[i][j]` counts the pairs from there on.
  const longest = Array.from({ length: expected + 1 }, () => Array<number>(made + 1).fill(0));
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = expected - 1; i >= 0; i--) {
    for (let j = made - 1; j >= 0; j--) {
      const row = longest[i] as number[];
      row[j] = fits(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < expected && j < made;) {
    if (fits(i, j)) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/**
 * As many pairs as possible in any order. An item that fits several others gives way to one that
 * fits fewer: the augmenting paths of Kuhn's algorithm.
 */
export function pairsInAnyOrder(expected: number, made: number, fits: Fits): readonly Pair[] {
  const expectedOf = new Map<number, number>();
  const place = (item: number, tried: Set<number>): boolean => {
    for (let other = 0; other < made; other++) {
      if (tried.has(other) || !fits(item, other)) continue;
      tried.add(other);
      const holder = expectedOf.get(other);
      if (holder !== undefined && !place(holder, tried)) continue;
      expectedOf.set(other, item);
      return true;
    }
    return false;
  };
  for (let item = 0; item < expected; item++) place(item, new Set());
  return [...expectedOf].map(([other, item]) => [item, other] as const);
}
