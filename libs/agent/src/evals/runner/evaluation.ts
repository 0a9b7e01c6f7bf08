import { inParallel, messageOf } from '../../internal';
import { addUsage, costOf, NO_USAGE, type Usage } from '../../message';
import {
  type AttemptResult,
  casesOf,
  type CaseResult,
  type EvalFile,
  type EvalSummary,
  type EvaluatedAgent,
  type EvaluateOptions,
  type NamedCase,
  type TurnResult,
} from '../cases';
import type { Judge } from './judgement';
import { takeTurn } from './take-turn';

/** Milliseconds of one attempt. */
const ATTEMPT_MS = 120_000;

/** One run over the cases of a checked file. */
export class Evaluation {
  private readonly cases: readonly NamedCase[];
  private readonly repeat: number;
  private readonly threshold: number;
  private cost = 0;

  constructor(
    private readonly agent: EvaluatedAgent,
    private readonly file: EvalFile,
    private readonly options: EvaluateOptions,
    private readonly judge: Judge,
  ) {
    this.cases = casesOf(file, options.filter);
    this.repeat = options.repeat ?? 1;
    this.threshold = options.threshold ?? 1;
  }

  async run(): Promise<EvalSummary> {
    const started = performance.now();
    const { concurrency = 4 } = this.options;
    const attempts = this.cases.flatMap((named, index) => {
      const done: (AttemptResult | undefined)[] = [];
      return Array.from({ length: this.repeat }, (_, attempt) => ({ named, index, done, attempt }));
    });
    const results = Array<CaseResult>(this.cases.length);
    await inParallel(attempts, concurrency, async ({ named, index, done, attempt }) => {
      const made = this.isOver ? undefined : await this.attempt(named, attempt + 1);
      done[attempt] = made;
      if (made) this.options.onAttempt?.(named.name, made);
      // A worker ahead may still be at an earlier attempt of the case.
      if (Object.keys(done).length < this.repeat) return;
      results[index] = this.resultOf(named, done);
      this.options.onCase?.(results[index]);
    });
    return this.summaryOf(results, performance.now() - started);
  }

  private get model(): string | undefined {
    return this.options.model ?? this.file.model;
  }

  private get isOver(): boolean {
    const { signal, maxCost = Infinity } = this.options;
    return signal?.aborted === true || this.cost >= maxCost;
  }

  private async attempt(named: NamedCase, attempt: number): Promise<AttemptResult> {
    const { timeoutMs = ATTEMPT_MS } = this.options;
    const started = performance.now();
    const inTime = AbortSignal.timeout(timeoutMs);
    const turns: TurnResult[] = [];
    let error: string | undefined;
    try {
      await this.converse(named, turns, inTime);
    } catch (thrown) {
      error = inTime.aborted ? `The attempt took longer than ${timeoutMs} ms.` : messageOf(thrown);
    }
    const usage = sumOf(turns);
    const cost = this.options.prices && costOf(usage, this.options.prices);
    this.cost += cost ?? 0;
    return {
      attempt,
      passed: error === undefined && turns.every(({ problems }) => problems.length === 0),
      turns,
      ...(error !== undefined && { error }),
      usage,
      ...(cost !== undefined && { cost }),
      durationMs: Math.round(performance.now() - started),
    };
  }

  /** Takes the turns until one is not as expected: the next ones rest on it. */
  private async converse(
    { as, turns }: NamedCase,
    taken: TurnResult[],
    inTime: AbortSignal,
  ): Promise<void> {
    const { caller } = this.options;
    const { model } = this;
    const chosen = await caller?.(as);
    const signals = [inTime, this.options.signal, chosen?.signal].filter(
      (each) => each !== undefined,
    );
    const options = { ...chosen, signal: AbortSignal.any(signals) };
    let sessionId: string | undefined;
    for (const turn of turns) {
      const { agent, judge } = this;
      const place = { agent, judge, caller: options, ...(model && { model }) };
      const result = await takeTurn(turn, { ...place, ...(sessionId && { sessionId }) });
      taken.push(result);
      if (result.problems.length > 0) return;
      sessionId = result.sessionId;
    }
  }

  private resultOf(
    { name, as }: NamedCase,
    made: readonly (AttemptResult | undefined)[],
  ): CaseResult {
    const attempts = made.filter((attempt) => attempt !== undefined);
    const isWhole = attempts.length === this.repeat;
    const passes = attempts.filter(({ passed }) => passed).length;
    const isPassed = passes / this.repeat >= this.threshold;
    const outcome = !isWhole ? 'skipped' : isPassed ? 'passed' : 'failed';
    return { name, ...(as !== undefined && { as }), outcome, attempts };
  }

  private summaryOf(cases: readonly CaseResult[], durationMs: number): EvalSummary {
    const number = (wanted: CaseResult['outcome']): number =>
      cases.filter(({ outcome }) => outcome === wanted).length;
    const counts = {
      passed: number('passed'),
      failed: number('failed'),
      skipped: number('skipped'),
    };
    return {
      ...(this.model && { model: this.model }),
      passed: counts.passed === cases.length,
      counts,
      cases,
      usage: sumOf(cases.flatMap(({ attempts }) => attempts)),
      ...(this.options.prices && { cost: this.cost }),
      durationMs: Math.round(durationMs),
      repeat: this.repeat,
      threshold: this.threshold,
    };
  }
}

function sumOf(parts: readonly { readonly usage: Usage }[]): Usage {
  return parts.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE);
}
