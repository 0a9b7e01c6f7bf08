import { SaxesParser } from 'saxes';
import type { AttemptResult, CaseResult, EvalSummary } from '../../evals';
import { NO_USAGE } from '../../message';
import { junitReport, TextReport } from '.';

/** Clears the screen, ends an element, turns the direction of text, and is no character. */
const HOSTILE = '\u001b[2J\u009b1m\r\nok 1\u202e ]]></failure><x a="&y;\u0000\ud800\uffff';

const attempt = (number: number, rest: Partial<AttemptResult> = {}): AttemptResult => ({
  attempt: number,
  passed: false,
  turns: [],
  usage: NO_USAGE,
  durationMs: 1_500,
  ...rest,
});

function summaryOf(cases: readonly CaseResult[]): EvalSummary {
  const count = (wanted: string) => cases.filter(({ outcome }) => outcome === wanted).length;
  return {
    passed: false,
    counts: { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
    cases,
    usage: { ...NO_USAGE, totalTokens: 12_345 },
    cost: 0.5,
    durationMs: 2_345,
    repeat: 2,
    threshold: 0.5,
  };
}

const turn = (problems: readonly string[]) => ({
  message: 'Hi',
  calls: [],
  answer: '',
  status: 'completed' as const,
  sessionId: 's',
  runId: 'r',
  usage: NO_USAGE,
  problems,
});
const CASES: readonly CaseResult[] = [
  {
    name: 'good',
    outcome: 'passed',
    attempts: [attempt(1, { passed: true }), attempt(2, { passed: true })],
  },
  {
    name: HOSTILE,
    outcome: 'failed',
    attempts: [
      attempt(1, { turns: [turn([]), turn([HOSTILE, 'twice'])] }),
      attempt(2, { turns: [turn([]), turn(['twice'])] }),
    ],
  },
  { name: 'away', outcome: 'failed', attempts: [attempt(1, { error: HOSTILE })] },
  { name: 'left out', outcome: 'skipped', attempts: [] },
];

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements of an XML text. @throws where it is not well-formed */
function elementsOf(xml: string): readonly Element[] {
  const parser = new SaxesParser();
  const elements: Element[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => elements.push({ name, attributes, text: '' }));
  parser.on('text', (text) => {
    const last = elements.at(-1);
    if (last) last.text += text;
  });
  parser.write(xml).close();
  return elements;
}

describe('the reports of an evaluation', () => {
  it('are for people in a terminal, which no text of a model controls', () => {
    let text = '';
    const report = new TextReport((piece) => (text += piece), false);
    CASES.forEach((each) => report.case(each));
    report.end(summaryOf(CASES));
    expect(text.replace(/[ -~\n✓✗·]/g, '')).toBe('');
    const lines = text.split('\n');
    expect(lines[0]).toBe('✓ good  2 of 2');
    expect(lines[1]).toMatch(
      /^✗ \\u001b\[2J\\u009b1m\\u000d\\u000aok 1\\u202e .*\\ud800\\uffff {2}0 of 2$/,
    );
    expect(lines[2]).toMatch(/^ {4}turn 2: \\u001b.* \(1 of 2 attempts\)$/);
    expect(lines[3]).toBe('    turn 2: twice (2 of 2 attempts)');
    expect(lines[5]).toMatch(/^ {4}error: \\u001b/);
    expect(lines.slice(6, 9)).toEqual([
      '- left out',
      '',
      '1 passed, 2 failed, 1 skipped of 4 cases · 2 attempts each, 50 % must pass · 12,345 tokens · cost 0.5000 · 2.3 s',
    ]);
  });

  it('have colours where a terminal shows them', () => {
    let text = '';
    new TextReport((piece) => (text += piece), true).case(CASES[0] as CaseResult);
    expect(text).toBe('\u001b[32m✓\u001b[39m good  2 of 2\n');
  });

  it('are well-formed XML for build servers, with what is known of each case', () => {
    const elements = elementsOf(junitReport('agent.evals.json', summaryOf(CASES)));
    const tests = { tests: '4', failures: '1', errors: '1', skipped: '1', time: '2.345' };
    expect(elements.slice(0, 2).map(({ attributes }) => attributes)).toEqual([
      tests,
      { name: 'agent.evals.json', ...tests },
    ]);
    expect(elements.slice(2).map(({ name }) => name)).toEqual([
      'testcase',
      'testcase',
      'failure',
      'testcase',
      'error',
      'testcase',
      'skipped',
    ]);
    expect(elements[2]?.attributes).toEqual({
      classname: 'agent.evals.json',
      name: 'good',
      time: '3.000',
    });
    const failure = elements[4];
    expect(failure?.attributes['message']).toMatch(/^turn 2: \\u001b.*<\/failure><x a="&y;\\u0000/);
    expect(failure?.text.trim()).toMatch(/\nturn 2: twice \(2 of 2 attempts\)$/);
  });

  it('call a case a failure, not an error, once one of its attempts was completed', () => {
    const attempts = [attempt(1, { error: 'away' }), attempt(2, { turns: [turn(['wrong'])] })];
    const summary = summaryOf([{ name: 'mixed', outcome: 'failed', attempts }]);
    const elements = elementsOf(junitReport('agent.evals.json', summary));
    expect(elements.at(-1)?.name).toBe('failure');
  });
});
