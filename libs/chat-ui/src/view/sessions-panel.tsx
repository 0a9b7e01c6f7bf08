import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SessionSummary } from '../wire/protocol';
import { useChat } from './chat-context';
import { when } from './format';
import { Icon } from './icon';

/** The user's past sessions, to go on with or to remove. */
export function SessionsPanel({
  sessions,
}: {
  readonly sessions: readonly SessionSummary[] | 'loading';
}) {
  const { state, closeSessions, listMoreSessions } = useChat();
  const panel = useRef<HTMLElement>(null);
  const count = sessions === 'loading' ? undefined : sessions.length;
  const wasShown = useRef(false);
  /** How many rows there were when more of them were asked for. */
  const rowsBefore = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    // Again where a row went, and the focus with it; never away from where somebody writes.
    const next = rowsBefore.current;
    rowsBefore.current = undefined;
    if (next !== undefined) {
      panel.current?.querySelectorAll<HTMLElement>('.session')[next]?.focus();
    }
    const root = panel.current?.getRootNode() as ShadowRoot | undefined;
    if (!wasShown.current || root?.activeElement === null) panel.current?.focus();
    wasShown.current = true;
  }, [count]);
  return (
    <section
      ref={panel}
      class="sessions"
      part="sessions"
      tabIndex={-1}
      aria-label="Past sessions"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        closeSessions();
      }}
    >
      <header>
        <h2>Past sessions</h2>
        <button
          type="button"
          class="quiet"
          aria-label="Close past sessions"
          onClick={closeSessions}
        >
          <Icon name="close" />
        </button>
      </header>
      {sessions === 'loading' ? (
        <p class="note">Loading…</p>
      ) : sessions.length === 0 ? (
        <p class="note">There are none yet.</p>
      ) : (
        <ul>
          {sessions.map((session) => (
            <Row key={session.sessionId} session={session} />
          ))}
        </ul>
      )}
      {state.hasMoreSessions && (
        <button
          type="button"
          onClick={() => {
            rowsBefore.current = count;
            listMoreSessions();
          }}
        >
          Show more
        </button>
      )}
    </section>
  );
}

function Row({ session }: { readonly session: SessionSummary }) {
  const { state, openSession, removeSession } = useChat();
  const { sessionId, lastUsedAt, title = 'Session', run } = session;
  const isCurrent = sessionId === state.sessionId;
  return (
    <li>
      <button
        type="button"
        class="session"
        aria-current={isCurrent}
        onClick={() => openSession(sessionId, run?.runId)}
      >
        <span class="session-title" dir="auto">
          {title}
        </span>
        <span class="session-time">
          {when(lastUsedAt)}
          {run?.status === 'requires_action' && ' · waits for you'}
          {run?.status === 'running' && ' · running'}
        </span>
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={`Delete session: ${title}`}
        onClick={() => removeSession(sessionId)}
      >
        <Icon name="trash" />
      </button>
    </li>
  );
}
