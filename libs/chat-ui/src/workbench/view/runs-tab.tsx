import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../view/base/button';
import { count, shortened, when } from '../../view/content/format';
import type { RunSummary } from '../protocol';
import { filled } from '../texts';
import type { PanelProps } from './app';
import { Problem, Row, Search, useAttempt } from './parts';
import { Timeline } from './timeline';
import { useWords } from './words-context';

/** Which runs are open: none, one, or one beside another. Each is `session:run`, or a session. */
const MOST_OPEN = 2;

/** The caller's runs, and the timelines of one or two. */
export function RunsTab({ api, open, go }: PanelProps) {
  const { runs: T } = useWords();
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [runs, setRuns] = useState<readonly RunSummary[]>();
  const [next, setNext] = useState<number>();
  const { problem, attempt } = useAttempt();
  const [sessionId, setSessionId] = useState('');
  const opened = open === '' ? [] : open.split(',');
  const asking = useRef({});
  const load = (text: string, offset: number): Promise<void> =>
    attempt(async () => {
      const asked = (asking.current = {});
      // Another search, or a second click, takes its place.
      const isLate = (): boolean => asking.current !== asked;
      if (offset === 0) setNext(undefined);
      const page = await api.runs(text, offset).catch((error: unknown) => {
        if (isLate()) return;
        // The older runs are still those of the runs that are shown.
        setNext(next);
        throw error;
      });
      if (page === undefined || isLate()) return;
      setSearch(text);
      setRuns((before = []) => (offset === 0 ? page.runs : [...before, ...page.runs]));
      setNext(page.nextOffset);
    });
  useEffect(() => void load('', 0), []);
  return (
    <div class="split">
      <div class="list">
        <form
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            // The same text too: after a failure, or for runs that have begun since.
            void load(typed, 0);
          }}
        >
          <Search name={T.search} value={typed} onValue={setTyped} />
          <Button words={T.find} type="submit" />
        </form>
        <Problem text={problem} />
        {runs?.length === 0 && next === undefined && <p class="faint">{T.none}</p>}
        <ul class="rows">
          {runs?.map((run) => (
            <li key={run.runId} class="run-row">
              <Row
                name={titleOf(run)}
                isOpen={opened.includes(placeOf(run))}
                onOpen={() => go('runs', placeOf(run))}
              >
                <Marks of={run} />
              </Row>
              {opened.length > 0 && !opened.includes(placeOf(run)) && (
                <Button
                  words={T.beside}
                  class="quiet"
                  aria-label={filled(T.besideOf, { title: titleOf(run) })}
                  onClick={() =>
                    go('runs', [opened[0], placeOf(run)].slice(0, MOST_OPEN).join(','))
                  }
                />
              )}
            </li>
          ))}
        </ul>
        {next !== undefined && <Button words={T.older} onClick={() => void load(search, next)} />}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (sessionId.trim() !== '') go('runs', sessionId.trim());
          }}
        >
          <label class="field">
            {T.byId}
            <input
              type="text"
              autocomplete="off"
              value={sessionId}
              onInput={({ currentTarget }) => setSessionId(currentTarget.value)}
            />
          </label>
          <Button words={T.open} type="submit" />
        </form>
      </div>
      <div class={opened.length > 1 ? 'detail pair' : 'detail'}>
        {opened.length === 0 && <p class="faint">{T.choose}</p>}
        {opened.map((place) => (
          <Timeline
            key={place}
            api={api}
            place={place}
            {...(opened.length > 1 && {
              close: () => go('runs', opened.filter((each) => each !== place).join(',')),
            })}
          />
        ))}
      </div>
    </div>
  );
}

function Marks({ of: run }: { readonly of: RunSummary }) {
  const { runs: T, locale } = useWords();
  return (
    <>
      <span class={`mark ${run.status === 'completed' ? 'good' : 'warn'}`}>{run.status}</span>
      {run.isTakenBack && <span class="mark">{T.takenBack}</span>}
      <span class="faint">
        {when(run.startedAt)} · {count(run.usage.totalTokens, locale)}
      </span>
    </>
  );
}

function placeOf({ sessionId, runId }: RunSummary): string {
  return `${sessionId}:${runId}`;
}

function titleOf({ question, runId }: RunSummary): string {
  return shortened(question, 90) || runId;
}
