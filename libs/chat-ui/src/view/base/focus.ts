import { useLayoutEffect, useRef } from 'preact/hooks';

/** The code of each key that an input method takes; Safari calls the last one no part of its word. */
export const COMPOSING = 229;

/** Hides this key from outer elements: Escape would close the sidebar or dialog around the chat. */
export function keepKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Where the keyboard goes on from when a part of the conversation goes away that had the focus. */
export function focusLog(part: Element | null): void {
  part?.closest<HTMLElement>('.log')?.focus();
}

/**
 * Runs after the view of a new value is drawn, to move the focus there. After the next frame
 * would be too late: letters that are typed in between would be lost.
 */
export function useChange<T>(value: T, react: (value: T) => void): void {
  const last = useRef(value);
  useLayoutEffect(() => {
    if (last.current === value) return;
    last.current = value;
    react(value);
  }, [value]);
}
