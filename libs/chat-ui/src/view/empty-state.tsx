import type { ToolSummary } from '../wire/protocol';
import { useChat } from './chat-context';
import { Icon } from './icon';

const SUGGESTIONS = 4;

/** What there is to see before anything is said. */
export function EmptyState({ onPick }: { readonly onPick: (text: string) => void }) {
  const { state } = useChat();
  const suggestions = suggestionsOf(state.tools);
  return (
    <div class="empty" part="empty">
      <span class="empty-mark">
        <Icon name="spark" />
      </span>
      <h2>How can I help?</h2>
      {suggestions.length > 0 && (
        <>
          <p id="suggestions">Some of what you can ask for:</p>
          <ul aria-labelledby="suggestions">
            {suggestions.map((text) => (
              <li key={text}>
                <button type="button" class="suggestion" onClick={() => onPick(text)}>
                  {text}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** First what reads, then what writes; a description's first sentence is what one would ask. */
function suggestionsOf(tools: readonly ToolSummary[]): readonly string[] {
  const rank = ({ readOnly, destructive }: ToolSummary): number =>
    readOnly ? 0 : destructive ? 2 : 1;
  return [...tools]
    .filter(({ kind }) => kind === 'route' || kind === 'provider')
    .sort((a, b) => rank(a) - rank(b) || kindRank(a) - kindRank(b))
    .slice(0, SUGGESTIONS)
    .map(({ description }) => sentenceOf(description));
}

function kindRank({ kind }: ToolSummary): number {
  return kind === 'route' ? 0 : 1;
}

function sentenceOf(description: string): string {
  const sentence = /^[^.:!?\n]+/.exec(description.trim())?.[0] ?? description;
  return sentence.length > 80 ? `${sentence.slice(0, 79).trimEnd()}…` : sentence;
}
