import type { AttemptResult, CaseResult } from './eval-result';
import { printable } from '../../internal';

/**
 * The problems of a case as lines for people, each once, with the number of attempts that had it.
 *
 * @experimental
 * @param result a case as `evaluate` reports it
 * @returns the lines; none if every attempt passed
 * @example
 * import { caseProblems, type EvalSummary } from 'nestjs-agent/evals';
 *
 * declare const summary: EvalSummary;
 * const failed = summary.cases.flatMap((result) => caseProblems(result));
 */
export function caseProblems({ attempts }: CaseResult): readonly string[] {
  const counts = new Map<string, number>();
  for (const problem of attempts.flatMap(problemsOf)) {
    counts.set(problem, (counts.get(problem) ?? 0) + 1);
  }
  return [...counts].map(([problem, count]) =>
    attempts.length === 1 ? problem : `${problem} (${count} of ${attempts.length} attempts)`,
  );
}

function problemsOf({ turns, error }: AttemptResult): readonly string[] {
  const found = turns.flatMap(({ problems }, index) =>
    problems.map((problem) => (turns.length === 1 ? problem : `turn ${index + 1}: ${problem}`)),
  );
  return [...found, ...(error === undefined ? [] : [`error: ${error}`])].map(visible);
}

/**
 * A text of a model or file as a terminal or report may show it: without control characters, and
 * without half surrogate pairs, which no file in UTF-8 holds.
 *
 * @experimental
 * @param text the text
 * @example
 * import { type MadeCall, visible } from 'nestjs-agent/evals';
 *
 * declare const call: MadeCall;
 * process.stdout.write(visible(call.name));
 */
export function visible(text: string): string {
  return printable(text).replace(
    /\p{Surrogate}/gu,
    (half) => `\\u${half.charCodeAt(0).toString(16)}`,
  );
}
