import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { filled } from '../../texts';
import type { SessionSummary } from '../../wire';
import { Button, IconButton, keepKey, useChange, useChat, useTexts } from '../base';
import { when } from '../content';

type Listed = readonly SessionSummary[] | 'loading';

/** The user's past sessions, to go on with or to remove. */
export function SessionsPanel({ listed }: { readonly listed: Listed }) {
  const { state, sessions } = useChat();
  const texts = useTexts();
  const panel = useRef<HTMLElement>(null);
  const count = listed === 'loading' ? undefined : listed.length;
  const wasShown = useRef(false);
  /** How many rows there were when more of them were asked for. */
  const rowsBefore = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    // Again if the focused row or button was removed; never away from a field in use, in the
    // chat or around it.
    const rows = panel.current?.querySelectorAll<HTMLElement>('.session');
    rows?.[rowsBefore.current ?? -1]?.focus();
    rowsBefore.current = undefined;
    if (!wasShown.current || document.activeElement === document.body) panel.current?.focus();
    wasShown.current = true;
  }, [count, state.hasMoreSessions]);
  return (
    <section
      ref={panel}
      class="sessions"
      part="sessions"
      tabIndex={-1}
      aria-label={texts.pastSessions}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        keepKey(event);
        sessions.close();
      }}
    >
      <header>
        <h2>{texts.pastSessions}</h2>
        <IconButton
          icon="close"
          aria-label={texts.closePastSessions}
          onClick={() => sessions.close()}
        />
      </header>
      {listed === 'loading' || listed.length === 0 ? (
        <p class="note">{listed === 'loading' ? texts.loading : texts.noSessions}</p>
      ) : (
        <ul>
          {listed.map((session) => (
            <Row key={session.sessionId} session={session} />
          ))}
        </ul>
      )}
      {state.hasMoreSessions && (
        <Button
          words={texts.moreSessions}
          onClick={() => {
            rowsBefore.current = count;
            void sessions.listMore();
          }}
        />
      )}
    </section>
  );
}

function Row({ session }: { readonly session: SessionSummary }) {
  const { state, sessions } = useChat();
  const texts = useTexts();
  const { sessionId, lastUsedAt, title = texts.untitledSession, run } = session;
  const [isAsking, setAsking] = useState(false);
  const safe = useRef<HTMLButtonElement>(null);
  const deleteTitle = filled(texts.deleteSession, { title });
  // Cancel takes the place of the bin: a second click, or a key held down, deletes nothing.
  useChange(isAsking, () => safe.current?.focus());
  return (
    <li
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isAsking) return;
        keepKey(event);
        setAsking(false);
      }}
    >
      <button
        type="button"
        class="session"
        aria-current={sessionId === state.sessionId}
        onClick={() => void sessions.open(sessionId, run?.runId)}
      >
        <span class="session-title" dir="auto">
          {title}
        </span>
        <span class="session-time">
          {when(lastUsedAt)}
          {run?.status === 'requires_action' && texts.sessionWaits}
          {run?.status === 'running' && texts.sessionRuns}
        </span>
      </button>
      {isAsking ? (
        <div class="buttons" role="group" aria-label={deleteTitle}>
          <Button
            words={texts.delete}
            class="delete"
            onClick={() => void sessions.remove(sessionId)}
          />
          <Button words={texts.cancel} ref={safe} onClick={() => setAsking(false)} />
        </div>
      ) : (
        <IconButton
          ref={safe}
          icon="trash"
          aria-label={deleteTitle}
          onClick={() => setAsking(true)}
        />
      )}
    </li>
  );
}
