import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Health } from '../wire/protocol';
import { useChat } from './chat-context';
import { Icon } from './icon';

/** Who one talks to, how they are, and the way to other sessions. */
export function Header() {
  const { state, heading, isSidebar, listSessions, closeSessions, newSession, close } = useChat();
  const isListing = state.sessions !== undefined;
  const history = useRef<HTMLButtonElement>(null);
  const wasListing = useRef(false);
  // With the list, not after the next frame: what is typed in between would be lost.
  useLayoutEffect(() => {
    // Focus goes back to where it came from into the list.
    if (wasListing.current && !isListing) history.current?.focus();
    wasListing.current = isListing;
  }, [isListing]);
  return (
    <header class="head" part="header">
      <h1>
        <HealthDot health={state.health} />
        {heading}
      </h1>
      <div class="head-buttons">
        <button
          ref={history}
          type="button"
          class="quiet"
          aria-expanded={isListing}
          title="Past sessions"
          aria-label="Past sessions"
          onClick={isListing ? closeSessions : listSessions}
        >
          <Icon name="history" />
        </button>
        <button type="button" onClick={newSession} part="new-session">
          <Icon name="plus" />
          New session
        </button>
        {isSidebar && (
          <button type="button" class="quiet" aria-label="Close chat" onClick={close}>
            <Icon name="close" />
          </button>
        )}
      </div>
    </header>
  );
}

function HealthDot({ health }: { readonly health: Health | 'unreachable' | undefined }) {
  const isUp = health !== undefined && health !== 'unreachable';
  const words = isUp
    ? `Connected, model ${health.model}`
    : health === undefined
      ? 'Connecting'
      : 'The server cannot be reached';
  const state = isUp ? 'up' : health === undefined ? 'unknown' : 'down';
  return <span class={`dot ${state}`} part="health" role="img" aria-label={words} title={words} />;
}
