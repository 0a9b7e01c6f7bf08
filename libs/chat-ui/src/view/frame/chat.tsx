import { useEffect, useRef, useState } from 'preact/hooks';
import { mayReplace, type Turn } from '../../state';
import { Button, Icon, Line, useChange, useChat, useTexts } from '../base';
import { Composer, useFileDrop, type ComposerHandle } from '../compose';
import { TurnView } from '../turns';
import { announcementOf } from './announcement';
import { EmptyState } from './empty-state';
import { Header } from './header';
import { Log } from './log';
import { SessionsPanel } from './sessions-panel';

/** How many turns are drawn in one go. */
const BATCH = 50;

/** The whole chat. */
export function Chat() {
  const { state, conversation, mayAttach } = useChat();
  const texts = useTexts();
  const { turns, sessions, problem, isLoading } = state;
  const attach = (files: readonly File[]): void => void conversation.draft.attach(files);
  const { isOver, handlers } = useFileDrop(mayAttach ? attach : undefined);
  const composer = useRef<ComposerHandle>(null);
  const notice = state.health === 'unreachable' ? undefined : state.health?.notice;
  const isIdle = mayReplace(state);
  const isEmpty = turns.length === 0 && !isLoading && !state.unopened;
  // The last turns come first, and a batch of earlier ones after each frame: they may be thousands.
  const [drawn, setDrawn] = useState(BATCH);
  useEffect(() => setDrawn(Math.min(drawn, turns.length) + BATCH), [drawn, turns.length]);
  // A new session starts with the user's words.
  useChange(isEmpty, (isNew) => isNew && composer.current?.focus());
  return (
    <div class={isOver ? 'chat dropping' : 'chat'} part="chat" {...handlers}>
      <Header />
      <Line class="notice" part="notice">
        {notice}
      </Line>
      <div class="middle">
        <Log isGrowing={drawn < turns.length + BATCH}>
          {isEmpty && <EmptyState onPick={(text) => composer.current?.fill(text)} />}
          {isLoading && (
            <p class="note">{state.isSendQueued ? texts.loadingToSend : texts.loading}</p>
          )}
          {turns.map(
            (turn, index) =>
              index >= turns.length - drawn && (
                <TurnView
                  key={turn.key}
                  turn={turn}
                  isLast={index === turns.length - 1}
                  conversation={conversation}
                  mayReplace={isIdle && hasRun(turns[turn.role === 'user' ? index : index - 1])}
                />
              ),
          )}
        </Log>
        {sessions !== undefined && <SessionsPanel listed={sessions} />}
      </div>
      {state.connection === 'reconnecting' && (
        <p class="strip" role="status">
          <span class="spinner" /> {texts.reconnecting}
        </p>
      )}
      {problem && (
        <p class="strip wrong" role="alert">
          <Icon name="alert" /> <span>{problem.message}</span>
          {((state.unopened && !isLoading) || conversation.line.isInterrupted) && (
            <Button words={texts.retry} onClick={() => void conversation.opening.goOn()} />
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

/** Whether a message can be replaced: the run that it began is known. */
function hasRun(turn: Turn | undefined): boolean {
  return turn?.role === 'user' && turn.runId !== undefined;
}
