import { useState } from 'preact/hooks';
import { count } from '../../view/content/format';
import type { ListedTool, Offer } from '../protocol';
import { filled } from '../texts';
import type { PanelProps } from './app';
import { Pending, Row, Search, useLoaded } from './parts';
import { ToolDetail } from './tool-detail';
import { useWords } from './words-context';

/** The tools on offer to this caller's model, and the details of one. */
export function ToolsTab({ api, open, go }: PanelProps) {
  const { tools: T, locale } = useWords();
  const [isAll, setAll] = useState(false);
  const [filter, setFilter] = useState('');
  const loaded = useLoaded(String(isAll), () => api.list(isAll));
  const { value: list } = loaded;
  if (list === undefined) return <Pending of={loaded} />;
  const wanted = filter.toLowerCase();
  const shown = list.tools.filter((tool) =>
    `${tool.name} ${tool.description} ${tool.group ?? ''}`.toLowerCase().includes(wanted),
  );
  const offered = list.tools.filter(({ withheld }) => withheld === undefined).length;
  return (
    <div class="split">
      <div class="list">
        <Search name={T.filter} value={filter} onValue={setFilter} />
        {list.mayAll && (
          <label class="check">
            <input
              type="checkbox"
              checked={isAll}
              onChange={({ currentTarget }) => setAll(currentTarget.checked)}
            />
            {T.all}
          </label>
        )}
        <p class="total">
          {filled(T.total, { tools: offered, tokens: count(list.tokens, locale) })}
        </p>
        <p class="faint">
          {filled(T.estimate, { by: list.estimate })} {filled(T.model, list.model)}
        </p>
        {shown.length === 0 && <p class="faint">{T.none}</p>}
        <ul class="rows">
          {shown.map((tool) => (
            <li key={tool.name}>
              <Row
                name={tool.name}
                isOpen={tool.name === open}
                onOpen={() => go('tools', tool.name)}
              >
                <Marks of={tool} />
              </Row>
            </li>
          ))}
        </ul>
        {list.offers.length > 0 && <Offers offers={list.offers} />}
      </div>
      <div class="detail">
        {open === '' ? (
          <p class="faint">{T.choose}</p>
        ) : (
          <ToolDetail key={open} api={api} name={open} go={go} />
        )}
      </div>
    </div>
  );
}

function Marks({ of: tool }: { readonly of: ListedTool }) {
  const { tools: T, locale } = useWords();
  return (
    <>
      <span class="mark">{tool.kind}</span>
      {tool.withheld && <span class="mark warn">{tool.withheld.reason}</span>}
      {tool.warnings.length > 0 && <span class="mark warn">{T.warnings}</span>}
      <span class="faint">{filled(T.tokens, { count: count(tool.tokens, locale) })}</span>
    </>
  );
}

function Offers({ offers }: { readonly offers: readonly Offer[] }) {
  const { tools: T } = useWords();
  return (
    <>
      <h2>{T.offers}</h2>
      <ul class="offers">
        {offers.map((offer) => (
          <li key={`${offer.source} ${offer.kind} ${offer.name}`}>
            <b>{offer.name}</b> <span class="mark">{offer.kind}</span>{' '}
            <span class="faint">{offer.source}</span>
            {offer.uri !== undefined && <code>{offer.uri}</code>}
            {offer.arguments && offer.arguments.length > 0 && (
              <code>{offer.arguments.join(', ')}</code>
            )}
            <p>{offer.description}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
