import { useRef } from 'preact/hooks';
import { filled } from '../../texts';
import type { Health } from '../../wire';
import { IconButton, useChange, useChat, useTexts } from '../base';

/** The agent's name and health, and the way to other sessions. */
export function Header() {
  const { state, heading, isSidebar, sessions, setOpen } = useChat();
  const texts = useTexts();
  const isListing = state.sessions !== undefined;
  const history = useRef<HTMLButtonElement>(null);
  // Focus goes back to where it came from into the list.
  useChange(isListing, (isOpen) => !isOpen && history.current?.focus());
  return (
    <header class="head" part="header">
      <h1>
        <HealthDot health={state.health} />
        {heading}
      </h1>
      <div class="head-buttons">
        <IconButton
          ref={history}
          icon="history"
          aria-expanded={isListing}
          title={texts.pastSessions}
          aria-label={texts.pastSessions}
          onClick={() => (isListing ? sessions.close() : void sessions.list())}
        />
        <IconButton
          icon="plus"
          class=""
          part="new-session"
          title={texts.newSession}
          onClick={() => sessions.begin()}
        >
          <span class="label">{texts.newSession}</span>
        </IconButton>
        {isSidebar && (
          <IconButton icon="close" aria-label={texts.closeChat} onClick={() => setOpen(false)} />
        )}
      </div>
    </header>
  );
}

function HealthDot({ health }: { readonly health: Health | 'unreachable' | undefined }) {
  const texts = useTexts();
  const [state, words] =
    health === undefined
      ? ['unknown', texts.connecting]
      : health === 'unreachable'
        ? ['down', texts.unreachable]
        : ['up', filled(texts.connected, { model: health.model })];
  return <span class={`dot ${state}`} part="health" role="img" aria-label={words} title={words} />;
}
