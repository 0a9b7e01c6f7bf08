import { caseProblems, type CaseResult, type EvalSummary, visible } from '../../evals';

/**
 * The results in the XML of JUnit, as build servers read it:
 * https://github.com/testmoapp/junitxml. A case is a test; if none of its failed attempts could be
 * completed, it is an error, not a failure.
 */
export function junitReport(file: string, { cases, durationMs }: EvalSummary): string {
  const number = (kind: Kind): number => cases.filter((each) => kindOf(each) === kind).length;
  const counts = [
    `tests="${cases.length}"`,
    `failures="${number('failure')}"`,
    `errors="${number('error')}"`,
    `skipped="${number('skipped')}"`,
    `time="${seconds(durationMs)}"`,
  ].join(' ');
  const tests = cases.map((each) => testOf(file, each));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escaped(file)}" ${counts}>`,
    ...tests,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

type Kind = 'passed' | 'failure' | 'error' | 'skipped';

function kindOf({ outcome, attempts }: CaseResult): Kind {
  if (outcome !== 'failed') return outcome;
  const failed = attempts.filter(({ passed }) => !passed);
  return failed.every(({ error }) => error !== undefined) ? 'error' : 'failure';
}

function testOf(file: string, result: CaseResult): string {
  const { name, attempts } = result;
  const durationMs = attempts.reduce((sum, each) => sum + each.durationMs, 0);
  const start = `    <testcase classname="${escaped(file)}" name="${escaped(name)}" time="${seconds(durationMs)}"`;
  const kind = kindOf(result);
  if (kind === 'passed') return `${start}/>`;
  const problems = caseProblems(result);
  const [first = 'not all attempts were made'] = problems;
  const inner =
    kind === 'skipped'
      ? `<skipped message="${escaped(first)}"/>`
      : `<${kind} message="${escaped(first)}">${problems.map(escaped).join('\n')}</${kind}>`;
  return `${start}>\n      ${inner}\n    </testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escaped(text: string): string {
  return visible(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
