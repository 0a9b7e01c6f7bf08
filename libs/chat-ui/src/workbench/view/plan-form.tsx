import type { EvalFile } from '../../../../agent/src/evals/cases';
import type { EvalPlan } from '../evals';
import type { WorkbenchEvals } from '../protocol';
import { filled } from '../texts';
import { Choice, Search } from './parts';
import { useWords } from './words-context';

/** Attempts that a page makes; the command makes more. */
const MOST = 20;

/** Which cases run, on which model, and how often. */
export function PlanForm({
  plan,
  offered: { models },
  file,
  approving,
  onPlan,
}: {
  readonly plan: EvalPlan;
  readonly offered: WorkbenchEvals;
  readonly file: EvalFile;
  readonly approving: number;
  readonly onPlan: (plan: EvalPlan) => void;
}) {
  const { evaluate: T } = useWords();
  const callers = [...new Set(file.cases.flatMap(({ as = file.as }) => as ?? []))];
  const hasPrices = models.find(({ name }) => name === plan.model)?.prices !== undefined;
  return (
    <div class="plan">
      <Choice
        name={T.model}
        value={plan.model ?? ''}
        options={models.map(({ name, modelName }) => [
          name ?? '',
          name ?? filled(T.byDefault, { name: modelName }),
        ])}
        onValue={(model) => onPlan({ ...plan, model: model === '' ? undefined : model })}
      />
      {callers.length > 0 && (
        <Choice
          name={T.as}
          value={plan.as}
          options={[['', T.everyone], ...callers.map((each) => [each, each] as const)]}
          onValue={(as) => onPlan({ ...plan, as })}
        />
      )}
      <Search
        name={T.filter}
        value={plan.filter}
        onValue={(filter) => onPlan({ ...plan, filter })}
      />
      {(['repeat', 'concurrency'] as const).map((key) => (
        <label key={key} class="field">
          {T[key]}
          <input
            type="number"
            min={1}
            max={MOST}
            value={plan[key]}
            onChange={({ currentTarget }) =>
              onPlan({ ...plan, [key]: within(currentTarget.valueAsNumber) })
            }
          />
        </label>
      ))}
      {hasPrices && (
        <label class="field">
          {T.maxCost}
          <input
            type="number"
            min={0}
            step="any"
            value={plan.maxCost ?? ''}
            onChange={({ currentTarget: { valueAsNumber } }) =>
              onPlan({ ...plan, maxCost: valueAsNumber > 0 ? valueAsNumber : undefined })
            }
          />
        </label>
      )}
      <p class="faint whole">{T.asNote}</p>
      {approving > 0 && (
        <label class="check whole">
          <input
            type="checkbox"
            checked={plan.withApproving}
            onChange={({ currentTarget }) =>
              onPlan({ ...plan, withApproving: currentTarget.checked })
            }
          />
          {filled(T.approving, { cases: approving })}
        </label>
      )}
    </div>
  );
}

function within(typed: number): number {
  return Math.min(MOST, Math.max(1, Math.round(typed) || 1));
}
