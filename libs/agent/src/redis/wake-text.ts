/** The maximum bytes of events in one message. Readers get larger ones from the stream. */
export const MAX_WAKE_BYTES = 16_384;

/** The notification to the readers of a run. */
export interface Wake {
  /** The number of the run's last event. */
  readonly last: number;
  readonly isOver: boolean;
  /** When the sender received the first event, by its clock; missing if irrelevant. */
  readonly publishedAt: number | undefined;
  /** The texts of the events up to that number; empty if they are too long for a message. */
  readonly texts: readonly string[];
}

/** Parses a message of the script `APPEND`; `undefined` if it is invalid. */
export function wakeIn(text: string): Wake | undefined {
  const [head = '', ...texts] = text.split('\n');
  const [, last, over, at] = /^(\d{1,15}) ([01]) (\d{0,15})$/.exec(head) ?? [];
  if (last === undefined) return undefined;
  const publishedAt = at ? Number(at) : undefined;
  return { last: Number(last), isOver: over === '1', publishedAt, texts };
}
