import { addUsage, NO_USAGE, type Usage, usageSince } from '../../message';
import { lastAnswer, type SessionState } from '../../session';
import type { RunBudget } from '../request';
import { isOverBudget } from './budget';

/** The totals of the asking run, which include those of the asked agent's run. */
interface AskingTotals {
  readonly totals: RunTotals;
  /** Stores the tokens of a model call with the asking run. */
  spend(modelName: string, usage: Usage): void;
}

/**
 * The totals of a run so far, against its budget; a resumed run continues those of its journal. They
 * also count for the asking run.
 */
export class RunTotals {
  usage: Usage = NO_USAGE;
  steps = 0;
  toolCalls = 0;
  /** The text of the last assistant message since the run started or was resumed. */
  text = '';
  /** The tokens by the models' own names. */
  private readonly byModel = new Map<string, Usage>();

  constructor(
    private readonly budget: RunBudget,
    private readonly asking?: AskingTotals,
  ) {}

  /** Continues the totals of the journal. */
  begin(state: SessionState): void {
    const { run } = state;
    if (run === undefined) return;
    const { calls, asked, modelName } = run;
    this.usage = run.usage;
    this.steps = run.steps;
    this.toolCalls = calls.length + (asked?.callIds.length ?? 0);
    const ofAsked = Object.entries(asked?.usage ?? {});
    const sum = ofAsked.reduce((total, [, usage]) => addUsage(total, usage), NO_USAGE);
    this.count(usageSince(sum, run.usage), modelName);
    for (const [name, usage] of ofAsked) this.count(usage, name);
  }

  /** For a run that ends without another step: its message remains its last answer. */
  keepText(state: SessionState): void {
    // Before its first step, the last answer is that of an earlier run.
    if (this.steps > 0) this.text = lastAnswer(state);
  }

  /** Adds the tokens of one model call. */
  add(usage: Usage, modelName: string): void {
    this.usage = addUsage(this.usage, usage);
    this.count(usage, modelName);
    this.asking?.spend(modelName, usage);
    this.asking?.totals.add(usage, modelName);
  }

  addCalls(count: number): void {
    this.toolCalls += count;
    this.asking?.totals.addCalls(count);
  }

  /** The number of calls that all budgets still allow. */
  get callsLeft(): number {
    const { toolCalls = Infinity } = this.budget;
    const left = Math.max(0, toolCalls - this.toolCalls);
    return Math.min(left, this.asking?.totals.callsLeft ?? Infinity);
  }

  /**
   * Whether a budget is used up or cannot be checked: the run's own, or that of an asking run.
   *
   * @param modelName the model of the next call
   */
  isOverBudget(modelName: string): boolean {
    const { usage, toolCalls, byModel, asking } = this;
    this.count(NO_USAGE, modelName);
    if (isOverBudget(this.budget, { usage, toolCalls, byModel })) return true;
    return asking?.totals.isOverBudget(modelName) === true;
  }

  private count(usage: Usage, modelName: string): void {
    this.byModel.set(modelName, addUsage(this.byModel.get(modelName) ?? NO_USAGE, usage));
  }
}
