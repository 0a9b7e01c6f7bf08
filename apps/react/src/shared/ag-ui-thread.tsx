import type { Message } from '@ag-ui/client';
import { useEffect, useState, type ReactNode } from 'react';
import { addressOf, headers, read } from './agent';
import { Loaded } from './loaded';
import type { Session } from './threads';

/** A conversation as the server has it. */
export interface StoredThread {
  readonly messages: Message[];
  /** Whether its last run waits for answers. */
  readonly isWaiting: boolean;
  /** The run that is still going on. */
  readonly running?: string | undefined;
}

interface AgUiThreadProps {
  readonly thread: string;
  readonly children: (stored: StoredThread) => ReactNode;
}

/** AG-UI cannot join an active run, so the stored messages are shown, and again after the run. */
export function AgUiThread({ thread, children }: AgUiThreadProps) {
  const [count, setCount] = useState(0);
  return (
    <Loaded key={count} load={() => loadThread(thread)}>
      {(stored) => (
        <>
          {stored.running !== undefined && (
            <Running run={stored.running} onEnd={() => setCount(count + 1)} />
          )}
          {children(stored)}
        </>
      )}
    </Loaded>
  );
}

/** The stored messages of a conversation. */
export async function loadThread(thread: string): Promise<StoredThread> {
  const [messages = [], sessions = []] = await Promise.all([
    read<Message[]>('ag-ui', thread, 'messages'),
    read<Session[]>('sessions'),
  ]);
  const run = sessions.find(({ sessionId }) => sessionId === thread)?.run;
  return {
    messages,
    isWaiting: run?.status === 'requires_action',
    running: run?.status === 'running' ? run.runId : undefined,
  };
}

function Running({ run, onEnd }: { run: string; onEnd: () => void }) {
  useEffect(() => {
    const left = new AbortController();
    untilEnded(run, left.signal).then(onEnd, () => {});
    return () => left.abort();
  }, [run]);
  return (
    <p className="running" role="status">
      The agent is still answering.
    </p>
  );
}

/** Waits for the end of a run: the stream of its events ends with it. */
export async function untilEnded(run: string, signal?: AbortSignal): Promise<void> {
  const init = { headers: headers(), ...(signal && { signal }) };
  const response = await fetch(addressOf('runs', run, 'events'), init);
  await response.text();
}

/** Where a run goes on without its reader, leaving is not stopping. */
export function stopRun(thread: string): void {
  void fetch(addressOf('ag-ui', thread, 'run'), { method: 'DELETE', headers: headers() });
}
