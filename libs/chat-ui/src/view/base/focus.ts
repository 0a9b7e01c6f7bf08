import { useLayoutEffect, useRef } from 'preact/hooks';

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
