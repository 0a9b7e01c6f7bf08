import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useChat, useTexts } from '../base';

interface LogProps {
  /** Earlier turns are still to be drawn. */
  readonly isGrowing: boolean;
  readonly children: ComponentChildren;
}

/** The conversation; it follows its end as long as the reader stays there. */
export function Log({ isGrowing, children }: LogProps) {
  const { state } = useChat();
  const texts = useTexts();
  const box = useRef<HTMLDivElement>(null);
  const last = useRef({ isAtEnd: true, top: 0, height: 0, turns: 0 }).current;
  // Before this drawing.
  const rest = box.current && box.current.scrollHeight - box.current.scrollTop;
  // A keyboard on the screen and a growing message leave the log less room.
  useEffect(() => {
    const log = box.current;
    if (!log) return undefined;
    const watch = new ResizeObserver(() => {
      last.height = log.clientHeight;
      if (last.isAtEnd) log.scrollTop = log.scrollHeight;
    });
    watch.observe(log);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    const log = box.current;
    if (!log) return;
    // A message that was just sent is always shown.
    const hasMore = state.turns.length !== last.turns;
    last.turns = state.turns.length;
    if (rest && isGrowing && !hasMore) log.scrollTop = log.scrollHeight - rest;
    else if (last.isAtEnd || hasMore) log.scrollTop = log.scrollHeight;
    // A move within the page has reset it.
    else if (log.scrollTop === 0) log.scrollTop = last.top;
  });
  return (
    <div
      ref={box}
      class="log"
      part="log"
      role="log"
      aria-label={texts.conversation}
      aria-live="polite"
      aria-busy={isGrowing || state.connection !== 'idle'}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        // Where the log has just got lower, it was not the reader who left the end.
        if (clientHeight < last.height) return;
        last.top = scrollTop;
        last.isAtEnd = scrollHeight - scrollTop - clientHeight < 48;
      }}
    >
      <div class="column">{children}</div>
    </div>
  );
}
