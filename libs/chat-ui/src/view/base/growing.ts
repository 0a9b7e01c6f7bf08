import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Has a field grow with its text, up to so many pixels. */
export function useGrowing(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  highest: number,
): void {
  useLayoutEffect(() => {
    const box = field.current;
    if (!box) return;
    box.style.height = 'auto';
    box.style.height = `${Math.min(box.scrollHeight + 2, highest)}px`;
  }, [text]);
}
