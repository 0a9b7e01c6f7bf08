/** Texts of events in one message, in bytes at most. Readers get larger ones from the stream. */
export const MAX_TOLD_BYTES = 16_384;

/** What wakes the readers of a run. */
export interface Wake {
  /** The number of the run's last event. */
  readonly last: number;
  readonly isOver: boolean;
  /** By the sender's clock, when it had the first of them; missing if that does not matter. */
  readonly publishedAt: number | undefined;
  /** The texts of the events up to that number; none if they are too long for a message. */
  readonly texts: readonly string[];
}

/** A message as the script `APPEND` sends it; `undefined` if it is none. */
export function wakeIn(text: string): Wake | undefined {
  const [head = '', ...texts] = text.split('\n');
  const [, last, over, at] = /^(\d{1,15}) ([01]) (\d{0,15})$/.exec(head) ?? [];
  if (last === undefined) return undefined;
  const publishedAt = at ? Number(at) : undefined;
  return { last: Number(last), isOver: over === '1', publishedAt, texts };
}
