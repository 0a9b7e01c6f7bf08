import { messageOf } from '../../internal';
import { isJsonObject, type JsonValue } from '../../message';

/** Whether the value at hand is as an expected one says. */
type Fits = (expected: JsonValue) => boolean;

/** What an expected value may state in place of a value. */
interface Condition {
  /** Why nothing can be compared with what it states; `undefined` if it can. */
  readonly problem: (of: unknown) => string | undefined;
  readonly holds: (of: JsonValue, value: JsonValue | undefined, fits: Fits) => boolean;
}

const CONDITIONS: Readonly<Record<string, Condition>> = {
  $any: {
    problem: (of) => (of === true ? undefined : ' must be true'),
    holds: () => true,
  },
  $matches: {
    problem: patternProblem,
    holds: (pattern, value) =>
      typeof value === 'string' && new RegExp(pattern as string, 'u').test(value),
  },
  $oneOf: {
    problem: (of) =>
      Array.isArray(of) && of.length > 0 ? expectedProblem(of) : ' must be a list of values',
    holds: (values, _value, fits) => (values as readonly JsonValue[]).some(fits),
  },
};

/** A condition's name, and what it states. */
type StatedCondition = readonly [name: string, of: JsonValue];

/** The condition that a value states: an object with one key that begins with `$`. */
export function conditionIn(value: unknown): StatedCondition | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value);
  const [first] = entries;
  return entries.length === 1 && first?.[0].startsWith('$') ? first : undefined;
}

/** Whether a value is as a condition says. */
export function holds(
  [name, of]: StatedCondition,
  value: JsonValue | undefined,
  fits: Fits,
): boolean {
  return CONDITIONS[name]?.holds(of, value, fits) === true;
}

/** The problem of an expected value, with its place; `undefined` for a valid one. */
export function expectedProblem(value: unknown): string | undefined {
  const condition = conditionIn(value);
  if (condition) return conditionProblem(condition);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const problem = expectedProblem(each);
    if (problem !== undefined) return `${Array.isArray(value) ? `[${key}]` : `.${key}`}${problem}`;
  }
  return undefined;
}

function conditionProblem([name, of]: StatedCondition): string | undefined {
  const condition = CONDITIONS[name];
  const names = Object.keys(CONDITIONS).join(', ');
  const problem = condition ? condition.problem(of) : ` is no condition; there are ${names}`;
  return problem === undefined ? undefined : `.${name}${problem}`;
}

function patternProblem(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string') return ' must be a regular expression';
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return ` is no regular expression: ${messageOf(error)}`;
  }
}
