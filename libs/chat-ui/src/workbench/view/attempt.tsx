import { Button } from '../../view/base/button';
import { outputText } from '../../view/content/format';
import type { TriedCall } from '../protocol';
import { filled } from '../texts';
import { Code, Fold, Folded } from './parts';
import { useWords } from './words-context';

/** The result of a call by hand. */
export function Attempt({
  tried,
  isBusy,
  answer,
}: {
  readonly tried: TriedCall;
  readonly isBusy: boolean;
  readonly answer: (type: 'approve' | 'decline') => void;
}) {
  const { attempt: T } = useWords();
  const { status, error, request, content, result, input, stages, logs } = tried;
  const failed = stages.find(({ isFailed }) => isFailed);
  const statuses: Readonly<Record<string, string>> = T.statuses;
  const isGood = status === 'executed';
  const answers =
    (type: 'approve' | 'decline') =>
    ({ currentTarget }: { readonly currentTarget: Element }): void => {
      // The buttons go away: the keyboard goes on from the result.
      currentTarget.closest('section')?.querySelector('h2')?.focus();
      answer(type);
    };
  return (
    <section class="attempt" aria-label={T.result}>
      <h2 tabIndex={-1}>
        <span class={`mark ${isGood ? 'good' : 'warn'}`}>{statuses[status] ?? status}</span>
      </h2>
      {status === 'awaiting_approval' && (
        <div class="buttons">
          <Button
            words={T.approve}
            class="primary"
            disabled={isBusy}
            onClick={answers('approve')}
          />
          <Button words={T.decline} disabled={isBusy} onClick={answers('decline')} />
        </div>
      )}
      {failed && (
        <p class="note">
          {filled(failed.by ? T.failedInBy : T.failedIn, {
            by: failed.by ?? '',
            stage: failed.stage,
          })}
        </p>
      )}
      {error && (
        <p>
          <code>{error.code}</code> {error.message}
        </p>
      )}
      {content !== undefined && <Folded name={T.model} value={outputText(content)} isOpen />}
      {result !== undefined && <Folded name={T.answer} value={result} />}
      {request && (
        <Fold name={T.request} isOpen>
          <Code
            label={T.request}
            text={`${request.method} ${request.path}${request.body === undefined ? '' : `\n\n${request.body}`}`}
          />
          <p class="faint">{T.requestNote}</p>
        </Fold>
      )}
      <Folded name={T.sent} value={input} />
      {stages.length > 0 && <Stages stages={stages} />}
      {logs.length > 0 && <Folded name={T.logs} value={logs.join('\n')} />}
    </section>
  );
}

function Stages({ stages }: Pick<TriedCall, 'stages'>) {
  const { attempt: T } = useWords();
  return (
    <table>
      <caption>{T.stages}</caption>
      <thead>
        <tr>
          <th scope="col">{T.stage}</th>
          <th scope="col">{T.by}</th>
          <th scope="col" class="number">
            {T.time}
          </th>
        </tr>
      </thead>
      <tbody>
        {stages.map(({ stage, by, durationMs, isFailed }, index) => (
          <tr key={index} class={isFailed ? 'failed' : undefined}>
            <td>{stage}</td>
            <td>{by}</td>
            <td class="number">{durationMs.toFixed(1)} ms</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
