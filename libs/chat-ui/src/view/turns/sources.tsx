import { useId } from 'preact/hooks';
import type { Source } from '../../state';
import { useTexts } from '../base';

/** The sources of an answer. Each shows its address, because titles come from the model. */
export function Sources({ sources }: { readonly sources: readonly Source[] }) {
  const id = useId();
  const texts = useTexts();
  if (sources.length === 0) return null;
  return (
    <section class="sources" part="sources" aria-labelledby={id}>
      <h2 id={id}>{texts.sources}</h2>
      <ul>
        {sources.map(({ url, host, title }) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noopener noreferrer" dir="auto">
              {title ?? host}
            </a>
            {title !== undefined && <span class="source-host">{host}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
