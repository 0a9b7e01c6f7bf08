import {
  type CaseOutcome,
  caseProblems,
  type CaseResult,
  type EvalSummary,
  visible,
} from '../../evals';

const MARKS: Readonly<Record<CaseOutcome, string>> = { passed: '✓', failed: '✗', skipped: '-' };
const COLOURS: Readonly<Record<CaseOutcome, number>> = { passed: 32, failed: 31, skipped: 33 };

/** Writes the results of an evaluation for people, case by case. */
export class TextReport {
  /**
   * @param write takes each piece
   * @param hasColours whether to use the terminal's colours
   */
  constructor(
    private readonly write: (text: string) => void,
    private readonly hasColours: boolean,
  ) {}

  case(result: CaseResult): void {
    const { name, outcome, attempts } = result;
    const passes = attempts.filter(({ passed }) => passed).length;
    const share = attempts.length > 1 ? `  ${passes} of ${attempts.length}` : '';
    const lines = [
      `${this.coloured(MARKS[outcome], outcome)} ${visible(name)}${share}`,
      ...caseProblems(result).map((problem) => `    ${problem}`),
    ];
    this.write(`${lines.join('\n')}\n`);
  }

  end({ model, counts, cases, usage, cost, durationMs, repeat, threshold }: EvalSummary): void {
    const outcomes = (['passed', 'failed', 'skipped'] as const)
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => this.coloured(`${counts[outcome]} ${outcome}`, outcome));
    const parts = [
      `${outcomes.join(', ')} of ${cases.length} ${cases.length === 1 ? 'case' : 'cases'}`,
      ...(repeat > 1
        ? [`${repeat} attempts each, ${Math.round(threshold * 100)} % must pass`]
        : []),
      ...(model === undefined ? [] : [`model ${visible(model)}`]),
      `${usage.totalTokens.toLocaleString('en-US')} tokens`,
      ...(cost === undefined ? [] : [`cost ${cost.toFixed(4)}`]),
      `${(durationMs / 1_000).toFixed(1)} s`,
    ];
    this.write(`\n${parts.join(' · ')}\n`);
  }

  private coloured(text: string, outcome: CaseOutcome): string {
    return this.hasColours ? `\u001b[${COLOURS[outcome]}m${text}\u001b[39m` : text;
  }
}
