import { useState } from 'preact/hooks';
import { Button } from '../../view/base/button';
import { duration, shortened, when } from '../../view/content/format';
import type { RunTimeline, TimelineItem } from '../protocol';
import type { WorkbenchApi } from '../workbench-api';
import {
  Code,
  FocusedHeading,
  Pending,
  Problem,
  Search,
  Spent,
  useAttempt,
  useLoaded,
} from './parts';
import { Item } from './timeline-item';
import { useWords } from './words-context';

/** A run, or all runs of a session, as they happened. */
export function Timeline({
  api,
  place,
  close,
}: {
  readonly api: WorkbenchApi;
  readonly place: string;
  readonly close?: () => void;
}) {
  const { runs: T } = useWords();
  const [sessionId = '', runId] = place.split(':');
  const loaded = useLoaded(sessionId, () => api.session(sessionId));
  const { value: runs } = loaded;
  if (runs === undefined) return <Pending of={loaded} />;
  const shown = runs.filter((run) => runId === undefined || run.runId === runId);
  return (
    <div class="timelines">
      {close && <Button words={T.close} class="quiet" onClick={close} />}
      {shown.length === 0 && <p class="faint">{T.none}</p>}
      {shown.map((run) => (
        <OneRun key={run.runId} api={api} run={run} />
      ))}
    </div>
  );
}

function OneRun({ api, run }: { readonly api: WorkbenchApi; readonly run: RunTimeline }) {
  const { runs: T } = useWords();
  const [find, setFind] = useState('');
  const wanted = find.toLowerCase();
  const items = run.items.filter((item) => wanted === '' || textsOf(item).includes(wanted));
  return (
    <article aria-label={shortened(run.question, 60)}>
      <FocusedHeading text={shortened(run.question, 120) || run.runId} id={run.runId} />
      <p class="faint">
        {when(run.startedAt)}
        {run.endedAt &&
          ` · ${duration(Date.parse(run.endedAt) - Date.parse(run.startedAt))}`} ·{' '}
        {run.modelName} · {run.status}
        {run.stopReason !== undefined && ` (${run.stopReason})`}
        {run.isTakenBack && ` · ${T.takenBack}`}
      </p>
      <p class="faint">
        <Spent usage={run.usage} cost={run.cost} /> · <code>{run.runId}</code>
      </p>
      {run.failure && (
        <p class="note">
          <code>{run.failure.code}</code> {run.failure.message}
        </p>
      )}
      <AsTest api={api} run={run} />
      <Search name={T.find2} value={find} onValue={setFind} />
      <ol class="timeline">
        {items.map((item, index) => (
          <li key={index} class={`item ${item.type}`}>
            <Item api={api} run={run} item={item} />
          </li>
        ))}
      </ol>
    </article>
  );
}

function AsTest({ api, run }: { readonly api: WorkbenchApi; readonly run: RunTimeline }) {
  const { runs: T } = useWords();
  const [code, setCode] = useState<string>();
  const { problem, attempt } = useAttempt();
  const [isCopied, setCopied] = useState(false);
  const copy = (): Promise<void> =>
    attempt(async () => {
      const text = await api.testOf(run);
      setCode(text);
      // Where the browser has no clipboard for the page, the text can still be selected.
      await navigator.clipboard?.writeText(text).then(
        () => setCopied(true),
        () => undefined,
      );
    });
  return (
    <>
      <p class="buttons">
        <Button words={T.asTest} onClick={() => void copy()} />
        <span role="status">{isCopied && T.copied}</span>
      </p>
      {problem !== undefined && <Problem text={problem} />}
      {code !== undefined && <Code label={T.test} text={code} />}
    </>
  );
}

function textsOf(item: TimelineItem): string {
  return JSON.stringify(item).toLowerCase();
}
