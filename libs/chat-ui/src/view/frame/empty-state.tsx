import { Button, Icon, useChat, useTexts } from '../base';

/** Shown before the first message. */
export function EmptyState({ onPick }: { readonly onPick: (text: string) => void }) {
  const { suggestions } = useChat().state;
  const texts = useTexts();
  return (
    <div class="empty" part="empty">
      <span class="empty-mark">
        <Icon name="spark" />
      </span>
      <h2>{texts.greeting}</h2>
      {suggestions.length > 0 && (
        <>
          <p id="suggestions">{texts.suggestions}</p>
          <ul aria-labelledby="suggestions">
            {suggestions.map((text) => (
              <li key={text}>
                <Button words={text} class="suggestion" onClick={() => onPick(text)} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
