/** Where the keyboard goes on from when a part of the conversation goes away that had the focus. */
export function focusLog(part: Element | null): void {
  part?.closest<HTMLElement>('.log')?.focus();
}
