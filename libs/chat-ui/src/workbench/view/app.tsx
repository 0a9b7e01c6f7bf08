import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../view/base/button';
import { PageEvaluation } from '../evals';
import { filled, type Words } from '../texts';
import type { WorkbenchApi } from '../workbench-api';
import { EvaluateTab } from './evaluate-tab';
import { RunsTab } from './runs-tab';
import { ToolsTab } from './tools-tab';
import { TryTab } from './try-tab';
import { WordsContext } from './words-context';

/** The tabs in their order; a further one is a further entry here and in `Panel`. */
const TABS = ['tools', 'try', 'runs', 'evaluate'] as const;
type Tab = (typeof TABS)[number];

/** The reader's place: the tab, and the open item in it. The address keeps it for a reload. */
interface Place {
  readonly tab: Tab;
  readonly open: string;
}

export interface PanelProps {
  readonly api: WorkbenchApi;
  readonly open: string;
  readonly evaluation: PageEvaluation;
  readonly go: (tab: Tab, open: string) => void;
}

export interface AppProps {
  readonly api: WorkbenchApi;
  readonly heading: string;
  readonly words: Words;
  /** Whether the words are in the language of the page around. */
  readonly isOfPage: boolean;
}

export function App({ api, heading, words, isOfPage }: AppProps) {
  const [place, setPlace] = useState(placeOf);
  const [evaluation] = useState(() => new PageEvaluation(api));
  useEffect(() => () => evaluation.cancel(), [evaluation]);
  const tabs = useRef<HTMLDivElement>(null);
  const go = (tab: Tab, open = ''): void => {
    setPlace({ tab, open });
    history.replaceState(null, '', `#${tab}${open === '' ? '' : `/${encodeURIComponent(open)}`}`);
  };
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || tabs.current === null) return;
    const isMirrored = getComputedStyle(tabs.current).direction === 'rtl';
    const index = (TABS.indexOf(place.tab) + (isMirrored ? -by : by) + TABS.length) % TABS.length;
    go(TABS[index] ?? 'tools');
    tabs.current.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <div class="workbench" {...(!isOfPage && { lang: words.locale, dir: 'ltr' })}>
      <header>
        <h1>{filled(words.heading, { agent: heading })}</h1>
        <div class="tabs" role="tablist" ref={tabs} onKeyDown={step}>
          {TABS.map((tab) => (
            <Button
              words={words.tabs[tab]}
              key={tab}
              role="tab"
              id={`tab-${tab}`}
              aria-controls="panel"
              aria-selected={tab === place.tab}
              tabIndex={tab === place.tab ? 0 : -1}
              onClick={() => go(tab)}
            />
          ))}
        </div>
      </header>
      <section id="panel" role="tabpanel" aria-labelledby={`tab-${place.tab}`}>
        <WordsContext.Provider value={words}>
          <Panel tab={place.tab} open={place.open} api={api} go={go} evaluation={evaluation} />
        </WordsContext.Provider>
      </section>
    </div>
  );
}

function Panel({ tab, ...rest }: PanelProps & { readonly tab: Tab }) {
  switch (tab) {
    case 'tools':
      return <ToolsTab {...rest} />;
    case 'try':
      return <TryTab {...rest} />;
    case 'runs':
      return <RunsTab {...rest} />;
    case 'evaluate':
      return <EvaluateTab {...rest} />;
  }
}

function placeOf(): Place {
  const [name = '', open = ''] = location.hash.slice(1).split('/');
  const tab = TABS.find((each) => each === name) ?? 'tools';
  try {
    return { tab, open: decodeURIComponent(open) };
  } catch {
    return { tab, open: '' };
  }
}
