import {
  type CaseResult,
  casesOf,
  type EvalFile,
  type EvalSummary,
  type EvaluateOptions,
} from '../../../../agent/src/evals/cases';
import { Evaluation } from '../../../../agent/src/evals/runner';
import type { Words } from '../texts';
import type { WorkbenchApi } from '../workbench-api';
import { approves } from './case-texts';
import { pageAgent } from './page-agent';
import { WorkerJudge } from './worker-judge';

/** The plan of an evaluation. */
export interface EvalPlan extends Pick<
  EvaluateOptions,
  'model' | 'prices' | 'repeat' | 'concurrency' | 'maxCost'
> {
  /** Only cases of this caller; all without one. */
  readonly as: string;
  readonly filter: string;
  /** Whether cases run that approve calls. */
  readonly withApproving: boolean;
}

/** The state of an evaluation. */
export interface EvalState {
  readonly isRunning: boolean;
  /** Attempts that are over, and all. */
  readonly done: number;
  readonly all: number;
  readonly results: ReadonlyMap<string, CaseResult>;
  readonly summary?: EvalSummary;
  readonly problem?: string;
}

/** The one evaluation of a page. It goes on while other tabs are open. */
export class PageEvaluation {
  state: EvalState = { isRunning: false, done: 0, all: 0, results: new Map() };
  /** Whether the user has agreed that tools run for real. */
  isAgreed = false;
  onChange: () => void = () => undefined;
  private stopping = new AbortController();

  constructor(private readonly api: WorkbenchApi) {}

  async run(file: EvalFile, plan: EvalPlan, words: Words['evaluate']): Promise<void> {
    const { model, prices, repeat, concurrency, maxCost } = plan;
    const chosen = chosenOf(file, plan);
    const results = new Map<string, CaseResult>();
    const judge = new WorkerJudge(words.noWorker);
    this.stopping = new AbortController();
    const all = chosen.cases.length * (repeat ?? 1);
    this.change({ isRunning: true, done: 0, all, results });
    const evaluation = new Evaluation(
      pageAgent(this.api, words.cut),
      chosen,
      {
        ...{ model, prices, repeat, concurrency, maxCost },
        signal: this.stopping.signal,
        onAttempt: () => this.change({ ...this.state, done: this.state.done + 1 }),
        onCase: (result) => void results.set(result.name, result),
      },
      judge.judge,
    );
    try {
      const summary = await evaluation.run();
      this.change({ ...this.state, isRunning: false, summary });
    } catch (error) {
      this.change({ ...this.state, isRunning: false, problem: String(error) });
    } finally {
      judge.close();
    }
  }

  /** Runs under way are cancelled on the server too. */
  cancel(): void {
    this.stopping.abort();
  }

  private change(state: EvalState): void {
    this.state = state;
    this.onChange();
  }
}

/** The file with the chosen cases alone, under the names that they have in the whole file. */
export function chosenOf(
  file: EvalFile,
  plan: Pick<EvalPlan, 'as' | 'filter' | 'withApproving'>,
): EvalFile {
  const wanted = plan.filter.toLowerCase();
  const cases = casesOf(file).filter(
    (each) =>
      (plan.as === '' || each.as === plan.as) &&
      each.name.toLowerCase().includes(wanted) &&
      (plan.withApproving || !approves(each)),
  );
  // Not the file's model: the page has its own choice, which begins with it.
  return { cases };
}
