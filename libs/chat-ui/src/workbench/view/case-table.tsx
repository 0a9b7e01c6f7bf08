import { caseProblems, type CaseResult, type NamedCase } from '../../../../agent/src/evals/cases';
import { Button } from '../../view/base/button';
import { duration } from '../../view/content/format';
import { expectedOf } from '../evals';
import { filled } from '../texts';
import type { PanelProps } from './app';
import { useWords } from './words-context';

/** Each case with its expectations and its result. */
export function CaseTable({
  cases,
  results,
  go,
}: {
  readonly cases: readonly NamedCase[];
  readonly results: ReadonlyMap<string, CaseResult>;
  readonly go: PanelProps['go'];
}) {
  const { evaluate: T } = useWords();
  return (
    <table class="cases">
      <thead>
        <tr>
          <th scope="col">{T.case}</th>
          <th scope="col">{T.result}</th>
        </tr>
      </thead>
      <tbody>
        {cases.map((each) => (
          <tr key={each.name}>
            <td>
              <Case of={each} />
            </td>
            <td>
              <Result of={results.get(each.name)} go={go} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Case({ of: { name, turns } }: { readonly of: NamedCase }) {
  const { evaluate: T } = useWords();
  return (
    <>
      <b>{name}</b>
      {turns.map((turn, index) => (
        <div key={index}>
          {turn.message !== name && <p class="text">{turn.message}</p>}
          <ul>
            {expectedOf(turn, T).map((text) => (
              <li key={text}>
                <code>{text}</code>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

function Result({
  of: result,
  go,
}: {
  readonly of: CaseResult | undefined;
  readonly go: PanelProps['go'];
}) {
  const { evaluate: T } = useWords();
  if (result === undefined) return <span class="faint">{T.waits}</span>;
  const { name, outcome, attempts } = result;
  const passed = attempts.filter((each) => each.passed).length;
  const last = (attempts.find((each) => !each.passed) ?? attempts[0])?.turns.at(-1);
  return (
    <>
      <span class="marks">
        <span class={`mark ${outcome === 'passed' ? 'good' : 'warn'}`}>{T.outcomes[outcome]}</span>
        <span class="faint">
          {attempts.length > 1 && `${filled(T.share, { passed, all: attempts.length })} · `}
          {duration(attempts.reduce((sum, each) => sum + each.durationMs, 0))}
        </span>
      </span>
      <ul>
        {caseProblems(result).map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
      {last && (
        <Button
          words={T.openRun}
          class="quiet"
          aria-label={filled(T.openRunOf, { name })}
          onClick={() => go('runs', `${last.sessionId}:${last.runId}`)}
        />
      )}
    </>
  );
}
