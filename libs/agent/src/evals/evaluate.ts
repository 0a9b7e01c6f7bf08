import { addUsage, NO_USAGE, type Usage } from '../message';
import { type ChatOptions, costOf, type TokenPrices } from '../run';
import { checkEvaluation } from './evaluation-checks';
import { casesOf, type EvalFile, type NamedCase } from './eval-file';
import type { AttemptResult, CaseResult, EvalSummary, TurnResult } from './eval-result';
import { type EvaluatedAgent, takeTurn } from './take-turn';

/**
 * How an evaluation runs.
 *
 * @experimental
 * @example
 * import type { EvaluateOptions } from 'nestjs-agent/evals';
 *
 * const options: EvaluateOptions = { repeat: 5, threshold: 0.8, concurrency: 2 };
 */
export interface EvaluateOptions {
  /** The options of a caller's runs, such as its principal and request; anonymous by default. */
  readonly caller?: (name: string | undefined) => ChatOptions | Promise<ChatOptions>;
  /** Only cases with this text in their names, in any letter case; all by default. */
  readonly filter?: string;
  /** A name in the module's `models`, in place of the file's. */
  readonly model?: string;
  /** Prices of the model, to tell what the evaluation costs. */
  readonly prices?: TokenPrices;
  /** Attempts per case; 1 by default. */
  readonly repeat?: number;
  /** The share of a case's attempts that must pass, above 0; 1, all of them, by default. */
  readonly threshold?: number;
  /** Attempts at the same time; 4 by default. */
  readonly concurrency?: number;
  /** Once the attempts cost so much, no more begin; needs `prices`. */
  readonly maxCost?: number;
  /** Milliseconds that one attempt may take; 120 000 by default. */
  readonly timeoutMs?: number;
  /** Ends the evaluation: attempts under way fail, and no more begin. */
  readonly signal?: AbortSignal;
  /** Is told of each case once its last attempt is over, in the order in which they end. */
  readonly onCase?: (result: CaseResult) => void;
}

/**
 * Asks the agent what the file says, and compares its calls and answers with what the file expects.
 * Each attempt is a conversation of its own, which stays in the session store.
 *
 * @experimental
 * @param agent the agent: an `AgentService`
 * @param file the cases; `checkEvals` checks those from outside
 * @param options the callers, and how often and how fast they ask
 * @throws InvalidEvalsError if the file or an option is invalid
 * @example
 * import { evaluate, type EvalFile } from 'nestjs-agent/evals';
 *
 * async function isGood(agent: AgentService, file: EvalFile): Promise<boolean> {
 *   const { passed } = await evaluate(agent, file, { caller: () => ({ principal: 'alice' }) });
 *   return passed;
 * }
 */
export async function evaluate(
  agent: EvaluatedAgent,
  file: EvalFile,
  options: EvaluateOptions = {},
): Promise<EvalSummary> {
  checkEvaluation(file, options);
  return new Evaluation(agent, file, options).run();
}

class Evaluation {
  private readonly cases: readonly NamedCase[];
  private readonly attempts: (AttemptResult | undefined)[][];
  private readonly repeat: number;
  private readonly threshold: number;
  private cost = 0;

  constructor(
    private readonly agent: EvaluatedAgent,
    private readonly file: EvalFile,
    private readonly options: EvaluateOptions,
  ) {
    this.cases = casesOf(file, options.filter);
    this.repeat = options.repeat ?? 1;
    this.threshold = options.threshold ?? 1;
    this.attempts = this.cases.map(() => []);
  }

  async run(): Promise<EvalSummary> {
    const started = performance.now();
    const { concurrency = 4 } = this.options;
    const attempts = this.cases.flatMap((_, index) =>
      Array.from({ length: this.repeat }, (_each, attempt) => [index, attempt] as const),
    );
    const results = Array<CaseResult>(this.cases.length);
    const queue = attempts.values();
    const work = async (): Promise<void> => {
      for (const [index, attempt] of queue) {
        const done = this.attempts[index] as (AttemptResult | undefined)[];
        const named = this.cases[index] as NamedCase;
        done[attempt] = this.isOver ? undefined : await this.attempt(named, attempt + 1);
        // A worker ahead may still be at an earlier attempt of the case.
        if (Object.keys(done).length < this.repeat) continue;
        results[index] = this.resultOf(named, done);
        this.options.onCase?.(results[index]);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return this.summaryOf(results, performance.now() - started);
  }

  private get isOver(): boolean {
    const { signal, maxCost = Infinity } = this.options;
    return signal?.aborted === true || this.cost >= maxCost;
  }

  private async attempt(named: NamedCase, attempt: number): Promise<AttemptResult> {
    const { timeoutMs = 120_000 } = this.options;
    const started = performance.now();
    const inTime = AbortSignal.timeout(timeoutMs);
    const turns: TurnResult[] = [];
    let error: string | undefined;
    try {
      await this.converse(named, turns, inTime);
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      error = inTime.aborted ? `The attempt took longer than ${timeoutMs} ms.` : message;
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
    const { caller, model = this.file.model } = this.options;
    const chosen = await caller?.(as);
    const signals = [inTime, this.options.signal, chosen?.signal].filter(
      (each) => each !== undefined,
    );
    const options = { ...chosen, signal: AbortSignal.any(signals) };
    let sessionId: string | undefined;
    for (const turn of turns) {
      const place = { agent: this.agent, caller: options, ...(model && { model }) };
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
