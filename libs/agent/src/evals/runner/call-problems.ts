import type { EvalTurn, ExpectedCall, MadeCall } from '../cases';
import { differences } from './differences';

/** Whether a call is the expected one, by its name and its arguments. */
export function isExpected(expected: ExpectedCall, made: MadeCall): boolean {
  return expected.name === made.name && inputDifferences(expected, made).length === 0;
}

/** The differences between a turn's calls and the expected ones, one text each; empty without any. */
export function callProblems(turn: EvalTurn, made: readonly MadeCall[]): readonly string[] {
  const { calls: expected, inAnyOrder = false, othersAllowed = false } = turn;
  if (expected === undefined) return [];
  const fits = (i: number, j: number): boolean => isExpected(at(expected, i), at(made, j));
  const pairsOf = inAnyOrder ? pairsInAnyOrder : pairsInOrder;
  const pairs = pairsOf(expected.length, made.length, fits);
  const missing = expected.filter((_, index) => !pairs.some(([i]) => i === index));
  const surplus = made.filter((_, index) => !pairs.some(([, j]) => j === index));
  const wrongEnds = pairs.flatMap(([i, j]) => endProblems(at(expected, i), at(made, j)));
  if (missing.length > 0 && !inAnyOrder) {
    const anyhow = pairsInAnyOrder(expected.length, made.length, fits);
    if (anyhow.length === expected.length) {
      const names = (calls: readonly { name: string }[]) =>
        calls.map(({ name }) => name).join(', ');
      return [
        `the calls are in another order: ${names(made)}; expected ${names(expected)}`,
        ...wrongEnds,
      ];
    }
  }
  return [...unmetProblems(missing, surplus, othersAllowed), ...wrongEnds];
}

/** A call for a report: its tool with its arguments. */
export function shownCall({ name, input }: Pick<MadeCall, 'name' | 'input'>): string {
  return `${name} ${JSON.stringify(input)}`;
}

/** Each missing call, with the call made in its place; further calls are listed unless allowed. */
function unmetProblems(
  missing: readonly ExpectedCall[],
  surplus: readonly MadeCall[],
  othersAllowed: boolean,
): readonly string[] {
  const left = [...surplus];
  const problems = missing.map((expected) => {
    const sameTool = left.findIndex(({ name }) => name === expected.name);
    if (sameTool === -1) return { expected };
    const [made] = left.splice(sameTool, 1);
    return { expected, made };
  });
  const instead = left.length === 0 ? 'no tool' : left.map(shownCall).join(', ');
  const texts = problems.map(({ expected, made }) =>
    made === undefined
      ? `${shownExpected(expected)} was not called; called instead: ${instead}`
      : `${made.name} was called with other arguments: ${inputDifferences(expected, made).join('; ')}`,
  );
  if (othersAllowed || problems.some(({ made }) => made === undefined)) return texts;
  return [...texts, ...left.map((made) => `${shownCall(made)} was called, which was not expected`)];
}

function endProblems({ asks, fails }: ExpectedCall, made: MadeCall): readonly string[] {
  const problems: string[] = [];
  if (asks !== undefined && asks !== made.asked) {
    problems.push(`${made.name} ${asks ? 'did not ask' : 'asked'} for approval`);
  }
  const { error } = made;
  if (fails === true && error === undefined) problems.push(`${made.name} did not end in an error`);
  if (fails === false && error !== undefined) {
    problems.push(`${made.name} ended in an error: ${JSON.stringify(error)}`);
  }
  return problems;
}

function inputDifferences(
  { input, inputIncludes }: ExpectedCall,
  made: MadeCall,
): readonly string[] {
  return [
    ...(input ? differences(input, made.input, true) : []),
    ...(inputIncludes ? differences(inputIncludes, made.input, false) : []),
  ];
}

function shownExpected({ name, input, inputIncludes }: ExpectedCall): string {
  if (input) return shownCall({ name, input });
  return inputIncludes ? `${shownCall({ name, input: inputIncludes })} (among others)` : name;
}

function at<T>(items: readonly T[], index: number): T {
  return items[index] as T;
}

/** An expected item and a made one that fit, by their indexes. */
type Pair = readonly [expected: number, made: number];

type Fits = (expected: number, made: number) => boolean;

/** As many pairs as possible whose items come in the same order on both sides. */
function pairsInOrder(expected: number, made: number, fits: Fits): readonly Pair[] {
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
function pairsInAnyOrder(expected: number, made: number, fits: Fits): readonly Pair[] {
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
