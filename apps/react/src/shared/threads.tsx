import { useEffect, useState } from 'react';
import { beginThread, openThread, read, threadOfPage } from './agent';

// #region threads
export interface Session {
  readonly sessionId: string;
  /** The beginning of the first message. */
  readonly title?: string;
  readonly run?: { readonly runId: string; readonly status: string };
}

/** The user's conversations. The id of a session is the id of a chat, in each of the pages. */
export function Threads() {
  const [sessions, setSessions] = useState<readonly Session[]>([]);
  const refresh = () => void read<Session[]>('sessions').then((found) => setSessions(found ?? []));
  useEffect(refresh, []);
  return (
    <>
      <select
        aria-label="Conversations"
        value={threadOfPage() ?? ''}
        onFocus={refresh}
        onChange={(event) => openThread(event.target.value)}
      >
        <option value="" disabled>
          Conversations
        </option>
        {sessions.map(({ sessionId, title }) => (
          <option key={sessionId} value={sessionId}>
            {title ?? 'New conversation'}
          </option>
        ))}
      </select>
      <button onClick={() => void beginThread()}>New</button>
    </>
  );
}
// #endregion threads
