import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useChat, useTexts } from '../base';

/** The conversation; it follows its end as long as the reader stays there. */
export function Log({ children }: { readonly children: ComponentChildren }) {
  const { state } = useChat();
  const texts = useTexts();
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const length = useRef(0);
  const height = useRef(0);
  // A keyboard on the screen and a growing message leave the log less room.
  useEffect(() => {
    const log = box.current;
    if (!log) return undefined;
    const watch = new ResizeObserver(() => {
      height.current = log.clientHeight;
      if (isAtEnd.current) log.scrollTop = log.scrollHeight;
    });
    watch.observe(log);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    const log = box.current;
    if (!log) return;
    // A message that was just sent is always shown.
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
      aria-label={texts.conversation}
      aria-live="polite"
      aria-busy={state.connection !== 'idle'}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        // Where the log has just got lower, it was not the reader who left the end.
        if (clientHeight < height.current) return;
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 48;
      }}
    >
      <div class="column">{children}</div>
    </div>
  );
}
