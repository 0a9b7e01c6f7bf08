import type { TargetedDragEvent } from 'preact';
import { useState } from 'preact/hooks';

/** Takes files that are dropped; whether some are held above it. */
export function useFileDrop(take: ((files: readonly File[]) => void) | undefined) {
  const [isOver, setOver] = useState(false);
  if (take === undefined) return { isOver: false, handlers: {} };
  const bringsFiles = ({ dataTransfer }: TargetedDragEvent<HTMLElement>): boolean =>
    dataTransfer?.types.includes('Files') === true;
  const handlers = {
    onDragOver: (event: TargetedDragEvent<HTMLElement>): void => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: ({ relatedTarget, currentTarget }: TargetedDragEvent<HTMLElement>): void => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: TargetedDragEvent<HTMLElement>): void => {
      if (!bringsFiles(event)) return;
      // Otherwise the browser would navigate to the file.
      event.preventDefault();
      setOver(false);
      take([...(event.dataTransfer?.files ?? [])]);
    },
  };
  return { isOver, handlers };
}
