import {
  aFunction,
  anObject,
  anything,
  flag,
  listOf,
  ofKind,
  oneOf,
  optionsOf,
  type OptionChecks,
  type OptionCheck,
  positive,
  problemsOf,
  text,
  tokenPrices,
} from '../checks';
import { LONGEST_TIMER_MS } from '../internal';
import {
  casesOf,
  type EvalCase,
  type EvalFile,
  type EvalTurn,
  type EvaluateOptions,
  type ExpectedCall,
} from './cases';
import { InvalidEvalsError } from './invalid-evals.error';
import { conditionIn, CONDITION_NAMES } from './runner';

/** More cases would be a mistake of a generator. */
const MOST = 10_000;

const wholeNumber = ofKind(
  'a whole number, 0 or more',
  (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
);
const share = ofKind(
  'a number above 0, at most 1',
  (value) => typeof value === 'number' && value > 0 && value <= 1,
);
const upToThousand = ofKind(
  'a whole number from 1 to 1000',
  (value) => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000,
);
const milliseconds = ofKind(
  'a number of milliseconds above 0',
  (value) => typeof value === 'number' && value > 0 && value <= LONGEST_TIMER_MS,
);

const CALL: OptionChecks<ExpectedCall> = {
  name: text,
  input: anObject,
  inputIncludes: anObject,
  asks: flag,
  fails: flag,
};
const TURN: OptionChecks<EvalTurn> = {
  message: ofKind(
    'a text that says something',
    (value) => typeof value === 'string' && value.trim() !== '',
  ),
  calls: listOf(optionsOf(CALL)),
  inAnyOrder: flag,
  othersAllowed: flag,
  never: listOf(text),
  answer: anything,
  approvals: oneOf('stop', 'approve', 'reject'),
  maxCalls: wholeNumber,
  maxTokens: wholeNumber,
};
const CASE: OptionChecks<EvalCase> = {
  ...TURN,
  name: text,
  as: text,
  turns: listOf(optionsOf(TURN)),
};
const FILE: OptionCheck = optionsOf<EvalFile>({
  $schema: text,
  path: text,
  model: text,
  as: text,
  cases: listOf(optionsOf(CASE)),
});

const OPTIONS: OptionCheck = optionsOf<EvaluateOptions>({
  caller: aFunction,
  filter: text,
  model: text,
  prices: tokenPrices,
  repeat: upToThousand,
  threshold: share,
  concurrency: upToThousand,
  maxCost: positive,
  timeoutMs: milliseconds,
  signal: ofKind('an AbortSignal', (value) => value instanceof AbortSignal),
  onAttempt: aFunction,
  onCase: aFunction,
});

/** The fields with expectations. Without any of them a turn cannot fail. */
const EXPECTATIONS = ['calls', 'never', 'answer', 'maxCalls', 'maxTokens'] as const;

/**
 * Checks the contents of a file of evaluations.
 *
 * @experimental
 * @param value the contents
 * @returns the same
 * @throws InvalidEvalsError if they are no evaluations
 * @example
 * import { checkEvals } from 'nestjs-agent/evals';
 *
 * const file = checkEvals(JSON.parse('{ "cases": [{ "message": "Hello", "calls": [] }] }'));
 */
export function checkEvals(value: unknown): EvalFile {
  const problems = problemsOf(FILE, value, '').map((problem) =>
    problem.replace(/^\./, '').replace(/^ /, 'the file '),
  );
  refuse(problems);
  const file = value as EvalFile;
  if (file.cases === undefined || file.cases.length === 0) refuse(['cases is missing or empty']);
  if (file.cases.length > MOST) refuse([`cases has more than ${MOST} entries`]);
  refuse(file.cases.flatMap((each, index) => caseProblems(each, `cases[${index}]`)));
  refuse(repeatedNames(file));
  return file;
}

/** Checks the input of `evaluate`. @throws InvalidEvalsError */
export function checkEvaluation(file: EvalFile, options: EvaluateOptions): void {
  refuse(problemsOf(OPTIONS, options, 'options'));
  const { prices, maxCost } = options;
  if (maxCost !== undefined && prices === undefined) {
    refuse(['options.maxCost needs the prices of the model']);
  }
  if (prices && (prices.input === undefined || prices.output === undefined)) {
    refuse(['options.prices needs input and output']);
  }
  checkEvals(file);
  if (casesOf(file, options.filter).length === 0) {
    refuse([`options.filter: no case has ${JSON.stringify(options.filter)} in its name`]);
  }
}

function caseProblems({ turns, ...rest }: EvalCase, at: string): readonly string[] {
  if (turns === undefined) return turnProblems(rest as EvalTurn, at, true);
  const beside = Object.keys(TURN).filter((key) => Object.hasOwn(rest, key));
  if (beside.length > 0) return [`${at} has turns, so ${beside.join(', ')} belongs in one of them`];
  if (turns.length === 0) return [`${at}.turns is empty`];
  const expectsNothing = turns.every((turn) => !expectsAnything(turn));
  return [
    ...turns.flatMap((turn, index) => turnProblems(turn, `${at}.turns[${index}]`, false)),
    ...(expectsNothing ? [nothingExpected(at)] : []),
  ];
}

function turnProblems(turn: EvalTurn, at: string, isAlone: boolean): readonly string[] {
  const { message, calls, approvals, answer } = turn;
  const problems: string[] = [];
  if (message === undefined) problems.push(`${at}.message is missing`);
  if (isAlone && !expectsAnything(turn)) problems.push(nothingExpected(at));
  if (approvals === 'approve' && calls === undefined) {
    problems.push(`${at}.approvals approves only calls that are expected: add calls`);
  }
  for (const key of ['never', 'answer'] as const) {
    if (Array.isArray(turn[key]) && turn[key].length === 0) problems.push(`${at}.${key} is empty`);
  }
  const answers: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  for (const each of answer === undefined ? [] : answers) {
    const problem = answerProblem(each);
    if (problem) problems.push(`${at}.answer ${problem}`);
  }
  calls?.forEach((call, index) => problems.push(...callProblems(call, `${at}.calls[${index}]`)));
  return problems;
}

function callProblems({ name, input, inputIncludes }: ExpectedCall, at: string): readonly string[] {
  if (name === undefined) return [`${at}.name is missing`];
  if (input && inputIncludes) return [`${at} has input and inputIncludes; keep one of them`];
  const field = input ? 'input' : 'inputIncludes';
  const problem = expectedProblem(input ?? inputIncludes ?? {});
  return problem === undefined ? [] : [`${at}.${field}${problem}`];
}

function answerProblem(answer: unknown): string | undefined {
  if (typeof answer === 'string' && answer !== '') return undefined;
  if (conditionIn(answer)?.[0] === '$matches') return expectedProblem(answer);
  return 'must be a text, { "$matches": … }, or a list of such';
}

function expectsAnything(turn: EvalTurn): boolean {
  return EXPECTATIONS.some((key) => turn[key] !== undefined);
}

function nothingExpected(at: string): string {
  return `${at} expects nothing, so it cannot fail: add one of ${EXPECTATIONS.join(', ')}`;
}

function repeatedNames(file: EvalFile): readonly string[] {
  const names = casesOf(file).map(({ name }) => name);
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    return first === index
      ? []
      : [`cases[${index}] is called as cases[${first}], ${JSON.stringify(name)}: give it a name`];
  });
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new InvalidEvalsError(problems);
}

/** The problem of an expected value, with its place; `undefined` for a valid one. */
function expectedProblem(value: unknown): string | undefined {
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
