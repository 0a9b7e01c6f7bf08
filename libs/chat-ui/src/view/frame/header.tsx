import { useRef } from 'preact/hooks';
import { TEXTS } from '../../texts';
import type { Health } from '../../wire';
import { IconButton, useChange, useChat } from '../base';

/** The agent's name and health, and the way to other sessions. */
export function Header() {
  const { state, heading, isSidebar, sessions, setOpen } = useChat();
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
          title={TEXTS.pastSessions}
          aria-label={TEXTS.pastSessions}
          onClick={() => (isListing ? sessions.close() : void sessions.list())}
        />
        <IconButton icon="plus" class="" part="new-session" onClick={() => sessions.begin()}>
          {TEXTS.newSession}
        </IconButton>
        {isSidebar && (
          <IconButton icon="close" aria-label={TEXTS.closeChat} onClick={() => setOpen(false)} />
        )}
      </div>
    </header>
  );
}

function HealthDot({ health }: { readonly health: Health | 'unreachable' | undefined }) {
  const [state, words] =
    health === undefined
      ? ['unknown', TEXTS.connecting]
      : health === 'unreachable'
        ? ['down', TEXTS.unreachable]
        : ['up', TEXTS.connected(health.model)];
  return <span class={`dot ${state}`} part="health" role="img" aria-label={words} title={words} />;
}
