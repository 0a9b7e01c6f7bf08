import { useEffect, useReducer, useState } from 'preact/hooks';
import { Button } from '../../view/base/button';
import { count, duration } from '../../view/content/format';
import { approves, chosenOf, type EvalPlan, type EvalState, mayWrite } from '../evals';
import type { WorkbenchEvals, WorkbenchList } from '../protocol';
import { filled } from '../texts';
import { casesOf } from '../../../../agent/src/evals/cases';
import type { PanelProps } from './app';
import { CaseTable } from './case-table';
import { PlanForm } from './plan-form';
import { FocusedHeading, Pending, Problem, useLoaded } from './parts';
import { useWords } from './words-context';

type Offered = WorkbenchEvals & { readonly list: WorkbenchList };

/** The application's cases, run as the caller, and their results. */
export function EvaluateTab(props: PanelProps) {
  const { evaluate: T } = useWords();
  const { api } = props;
  const loaded = useLoaded('', async (): Promise<Offered> => {
    const [evals, list] = await Promise.all([api.evals(), api.list(false)]);
    return { ...evals, list };
  });
  const { value: offered } = loaded;
  if (offered === undefined) return <Pending of={loaded} />;
  if (offered.file === undefined) return <p class="narrow">{T.none}</p>;
  return (
    <div class="narrow">
      <h2>{filled(T.from, { file: offered.file })}</h2>
      {offered.problems && (
        <div class="note" role="alert">
          <p>{T.invalid}</p>
          <ul class="bullets">
            {offered.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      {offered.evals && <Evals {...props} offered={offered} file={offered.evals} />}
    </div>
  );
}

function Evals({
  go,
  evaluation,
  offered,
  file,
}: PanelProps & { readonly offered: Offered; readonly file: NonNullable<Offered['evals']> }) {
  const { evaluate: T } = useWords();
  const [, redraw] = useReducer<number, void>((drawn) => drawn + 1, 0);
  const [isAsking, setAsking] = useState(false);
  const [plan, setPlan] = useState<EvalPlan>(() => ({
    // Cases for this caller first, where some are.
    as: file.cases.some(({ as = file.as }) => as === offered.principal)
      ? (offered.principal ?? '')
      : '',
    ...{ filter: '', withApproving: false, repeat: 1, concurrency: 2 },
    ...(file.model !== undefined && { model: file.model }),
  }));
  useEffect(() => {
    evaluation.onChange = () => redraw();
    return () => void (evaluation.onChange = () => undefined);
  }, [evaluation]);
  const shown = casesOf(chosenOf(file, { ...plan, withApproving: true }));
  const chosen = chosenOf(file, plan).cases.length;
  const { state } = evaluation;
  const begin = (): void => {
    setAsking(false);
    evaluation.isAgreed = true;
    const prices = offered.models.find(({ name }) => name === plan.model)?.prices;
    void evaluation.run(file, { ...plan, ...(prices && { prices }) }, T);
  };
  return (
    <>
      <PlanForm
        plan={plan}
        offered={offered}
        file={file}
        approving={shown.filter(approves).length}
        onPlan={setPlan}
      />
      {isAsking ? (
        <Agreement tools={mayWrite(offered.list.tools)} go={begin} back={() => setAsking(false)} />
      ) : (
        <p class="buttons">
          <Button
            words={filled(chosen === 1 ? T.runOne : T.run, { cases: chosen })}
            class="primary"
            disabled={state.isRunning || chosen === 0}
            onClick={() => (evaluation.isAgreed ? begin() : setAsking(true))}
          />
          {state.isRunning && <Button words={T.cancel} onClick={() => evaluation.cancel()} />}
        </p>
      )}
      <Progress state={state} models={offered.models} />
      <CaseTable cases={shown} results={state.results} go={go} />
    </>
  );
}

/** Asked before the first evaluation of a page. */
function Agreement({
  tools,
  go,
  back,
}: {
  readonly tools: readonly string[];
  readonly go: () => void;
  readonly back: () => void;
}) {
  const { evaluate: T } = useWords();
  return (
    <section class="note" aria-label={T.agree}>
      <FocusedHeading text={T.agree} id="agree" />
      <p>{T.agreeNote}</p>
      <p>
        {tools.length === 0 ? T.notWriting : T.writing} <code>{tools.join(', ')}</code>
      </p>
      <p class="buttons">
        <Button words={T.go} class="primary" onClick={go} />
        <Button words={T.back} onClick={back} />
      </p>
    </section>
  );
}

function Progress({
  state: { isRunning, done, all, summary, problem },
  models,
}: {
  readonly state: EvalState;
  readonly models: WorkbenchEvals['models'];
}) {
  const { evaluate: T, runs, locale } = useWords();
  const progress = filled(T.progress, { done, all });
  return (
    <>
      {all > 0 && <progress aria-label={progress} value={done} max={all} />}
      <p role="status">
        {isRunning && progress}
        {summary && (
          <>
            <b>{filled(T.summary, summary.counts)}</b>{' '}
            <span class="faint">
              {[
                ...models.flatMap(({ name, modelName }) =>
                  name === summary.model ? [modelName] : [],
                ),
                filled(T.tokens, { count: count(summary.usage.totalTokens, locale) }),
                ...(summary.cost === undefined
                  ? []
                  : [filled(runs.cost, { cost: summary.cost.toPrecision(3) })]),
                duration(summary.durationMs),
              ].join(' · ')}
            </span>
          </>
        )}
      </p>
      <Problem text={problem} />
    </>
  );
}
