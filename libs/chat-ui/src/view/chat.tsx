import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import {
  currentTurn,
  mayReplace,
  openApprovals,
  type ChatState,
  type Turn,
} from '../state/chat-state';
import { useChat } from './chat-context';
import { Composer, type ComposerHandle } from './composer';
import { EmptyState } from './empty-state';
import { useFileDrop } from './file-drop';
import { title } from './format';
import { Header } from './header';
import { Icon } from './icon';
import { SessionsPanel } from './sessions-panel';
import { TurnView } from './turns';

/** The whole chat. */
export function Chat() {
  const { state, conversation, mayAttach } = useChat();
  const { isOver, handlers } = useFileDrop(
    mayAttach ? (files) => conversation.attach(files) : undefined,
  );
  const composer = useRef<ComposerHandle>(null);
  const notice = state.health === 'unreachable' ? undefined : state.health?.notice;
  const isIdle = mayReplace(state);
  const isEmpty = state.turns.length === 0 && !state.isLoading && !state.unopened;
  // A new session starts with the user's words.
  const { sessionId } = state;
  const wasUsed = useRef(false);
  useLayoutEffect(() => {
    if (wasUsed.current && isEmpty) composer.current?.focus();
    wasUsed.current = !isEmpty;
  }, [isEmpty, sessionId]);
  return (
    <div class={isOver ? 'chat dropping' : 'chat'} part="chat" {...handlers}>
      <Header />
      {notice !== undefined && (
        <p class="notice" part="notice">
          {notice}
        </p>
      )}
      <div class="middle">
        <Log>
          {isEmpty && <EmptyState onPick={(text) => composer.current?.fill(text)} />}
          {state.isLoading && (
            <p class="note">
              {state.isSendQueued ? 'Loading… Your message is sent after that.' : 'Loading…'}
            </p>
          )}
          {state.turns.map((turn, index) => (
            <TurnView
              key={turn.key}
              turn={turn}
              isLast={index === state.turns.length - 1}
              mayReplace={isIdle && hasRun(state.turns[turn.role === 'user' ? index : index - 1])}
            />
          ))}
        </Log>
        {state.sessions !== undefined && <SessionsPanel sessions={state.sessions} />}
      </div>
      {state.connection === 'reconnecting' && (
        <p class="strip" role="status">
          <span class="spinner" /> Connection lost. Reconnecting…
        </p>
      )}
      {state.problem && (
        <p class="strip wrong" role="alert">
          <Icon name="alert" /> <span>{state.problem.message}</span>
          {(state.unopened || conversation.isInterrupted) && (
            <button type="button" onClick={() => void conversation.goOn()}>
              Retry
            </button>
          )}
        </p>
      )}
      <Composer handle={composer} />
      <p class="hidden" role="status">
        {announcementOf(state)}
      </p>
    </div>
  );
}

/** A message that can be said anew: it is known which run it began. */
function hasRun(turn: Turn | undefined): boolean {
  return turn?.role === 'user' && turn.runId !== undefined;
}

/** The conversation; it follows its end as long as the reader stays there. */
function Log({ children }: { readonly children: ComponentChildren }) {
  const { state } = useChat();
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const length = useRef(0);
  useLayoutEffect(() => {
    const log = box.current;
    if (!log) return;
    // What the user just sent is always shown.
    const hasMore = state.turns.length !== length.current;
    length.current = state.turns.length;
    if (isAtEnd.current || hasMore) log.scrollTop = log.scrollHeight;
  });
  return (
    <div
      ref={box}
      class="log"
      part="log"
      role="log"
      aria-label="Conversation"
      aria-live="polite"
      aria-busy={state.connection !== 'idle'}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 48;
      }}
    >
      <div class="column">{children}</div>
    </div>
  );
}

/** The log is read out when an answer is complete; this says what happens meanwhile. */
function announcementOf(state: ChatState): string {
  const turn = currentTurn(state);
  if (turn === undefined) return '';
  const waiting = openApprovals(turn)[0];
  if (waiting) return `${title(waiting.name)} waits for your approval.`;
  if (state.connection === 'idle') return turn.parts.length > 0 ? 'The answer is complete.' : '';
  if (turn.isUploading && turn.runId === undefined) return 'Sending the attachments.';
  const last = turn.parts.at(-1);
  if (last?.type === 'tool' && last.outcome === undefined) return `Running ${title(last.name)}.`;
  return 'The agent is working.';
}
