import { useState } from 'preact/hooks';
import { Button } from '../../view/base/button';
import { count } from '../../view/content/format';
import type { WorkbenchTool } from '../protocol';
import { filled } from '../texts';
import type { PanelProps } from './app';
import { Choice, Folded, FocusedHeading, Json, Pending, useLoaded } from './parts';
import { useWords } from './words-context';

/** One tool: the reasons for its permission, and its definition in each provider's form. */
export function ToolDetail({
  api,
  name,
  go,
}: Pick<PanelProps, 'api' | 'go'> & { readonly name: string }) {
  const { tools: T } = useWords();
  const loaded = useLoaded(name, () => api.inFull(name));
  const { value: tool } = loaded;
  if (tool === undefined) return <Pending of={loaded} />;
  return (
    <article>
      <FocusedHeading text={tool.name} id={name} />
      <p>{tool.description}</p>
      {tool.withheld && (
        <p class="note">
          {T.withheld[tool.withheld.reason]} {tool.withheld.message}
        </p>
      )}
      {tool.warnings.length > 0 && (
        <div class="note">
          <h3>{T.warnings}</h3>
          <ul class="bullets">
            {tool.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
      <p class="buttons">
        <Button words={T.try} class="primary" onClick={() => go('try', tool.name)} />
      </p>
      <Facts tool={tool} />
      <Dialects tool={tool} />
      {tool.output_schema && <Folded name={T.output} value={tool.output_schema} />}
    </article>
  );
}

function Facts({ tool }: { readonly tool: WorkbenchTool }) {
  const { tools: T } = useWords();
  const effects: Readonly<Record<string, unknown>> = { ...tool.traits };
  const traits = Object.entries(T.traitNames).flatMap(([trait, words]) =>
    effects[trait] === true ? [words] : [],
  );
  return (
    <dl>
      <dt>{T.permission}</dt>
      <dd>
        <ul>
          {tool.permissions.map(({ from, level }) => (
            <li key={from}>
              {T.levels[level]} <span class="faint">({from})</span>
            </li>
          ))}
        </ul>
      </dd>
      <dt>{T.traits}</dt>
      <dd>{traits.join(', ') || T.noTraits}</dd>
      <dt>{T.declared}</dt>
      <dd>
        <code>{tool.source}</code> <span class="mark">{tool.kind}</span>
      </dd>
      {tool.group !== undefined && <dt>{T.group}</dt>}
      {tool.group !== undefined && <dd>{tool.group}</dd>}
      {tool.toolkit !== undefined && <dt>{T.toolkit}</dt>}
      {tool.toolkit !== undefined && <dd>{tool.toolkit}</dd>}
    </dl>
  );
}

function Dialects({ tool: { dialects, tokens } }: { readonly tool: WorkbenchTool }) {
  const { tools: T, locale } = useWords();
  const [provider, setProvider] = useState<string>(dialects[0]?.provider ?? '');
  const dialect = dialects.find((each) => each.provider === provider);
  return (
    <>
      <h3>
        {T.definition}{' '}
        <span class="faint">{filled(T.tokens, { count: count(tokens, locale) })}</span>
      </h3>
      <Choice
        name={T.dialect}
        value={provider}
        options={dialects.map((each) => [each.provider, T.dialects[each.provider]])}
        onValue={setProvider}
      />
      {dialect?.notStrict !== undefined && (
        <p class="note">{filled(T.notStrict, { reason: dialect.notStrict })}</p>
      )}
      {dialect && <Json label={T.definition} value={dialect.definition} />}
    </>
  );
}
