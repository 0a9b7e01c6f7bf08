import type { AttemptResult, CaseResult } from './eval-result';
import { printable } from '../../internal';

/** The problems of a case, each once, with the attempts that had it where there are several. */
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

/** Half of a surrogate pair is no character: no file in UTF-8 holds it. */
export function visible(text: string): string {
  return printable(text).replace(
    /\p{Surrogate}/gu,
    (half) => `\\u${half.charCodeAt(0).toString(16)}`,
  );
}
