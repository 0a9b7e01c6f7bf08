import { CONDITION_NAMES, conditionIn } from './runner';

/** The problem of an expected value, with its place; `undefined` for a valid one. */
export function expectedProblem(value: unknown): string | undefined {
  const condition = conditionIn(value);
  if (condition) return conditionProblem(...condition);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const problem = expectedProblem(each);
    if (problem !== undefined) return `${Array.isArray(value) ? `[${key}]` : `.${key}`}${problem}`;
  }
  return undefined;
}

function conditionProblem(name: string, of: unknown): string | undefined {
  switch (name) {
    case '$any':
      return of === true ? undefined : '.$any must be true';
    case '$matches':
      return typeof of === 'string' ? patternProblem(of) : '.$matches must be a regular expression';
    case '$oneOf': {
      if (!Array.isArray(of) || of.length === 0) return '.$oneOf must be a list of values';
      const problem = expectedProblem(of);
      return problem === undefined ? undefined : `.$oneOf${problem}`;
    }
    default:
      return `.${name} is no condition; there are ${CONDITION_NAMES.join(', ')}`;
  }
}

function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return `.$matches is no regular expression: ${(error as Error).message}`;
  }
}
