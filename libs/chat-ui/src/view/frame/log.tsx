import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useChat, useTexts } from '../base';

/** The conversation; it follows its end as long as the reader stays there. */
export function Log({ children }: { readonly children: ComponentChildren }) {
  const { state } = useChat();
  const texts = useTexts();
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const length = useRef(0);
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
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 48;
      }}
    >
      <div class="column">{children}</div>
    </div>
  );
}
