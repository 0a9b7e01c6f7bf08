// The time that a service asks for before the next attempt.

type Fields = Readonly<Record<string, unknown>>;

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const UNIT = '(?:ms|milliseconds?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])';
const PART = new RegExp(`(\\d+(?:\\.\\d+)?) ?(${UNIT})`, 'g');
const WAIT = new RegExp(
  `(?:try again in|retry after|please wait) ((?:\\d{1,9}(?:\\.\\d{1,9})? ?${UNIT} ?)+)`,
);

/** The longest wait that is passed on: callers do not wait for years. */
const LONGEST_RETRY_AFTER_MS = 86_400_000;

/**
 * `Retry-After` in either form, or the finer `retry-after-ms`: the longer one counts, since some
 * services send one of them as 0. At most a day.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function retryAfterMs(headers: unknown, now = Date.now()): number | undefined {
  if (!(headers instanceof Headers)) return undefined;
  return longest([
    numberIn(headers.get('retry-after-ms')),
    numberIn(headers.get('retry-after'), 1_000),
    timeIn(headers.get('retry-after'), now),
  ]);
}

/** The wait that a message names, `Please try again in 1m2.5s`: an error within an answer has no headers. */
export function waitIn(words: string): number | undefined {
  const [, wait] = WAIT.exec(words) ?? [];
  const parts = [...(wait?.matchAll(PART) ?? [])].map(
    ([, count, unit = '']) =>
      Number(count) * (/^(?:ms|milli)/.test(unit) ? 1 : (UNITS_MS[unit.charAt(0)] ?? 0)),
  );
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part);
}

/**
 * The wait that Google's services send in the error itself: `{ "@type": "….RetryInfo",
 * "retryDelay": "21.5s" }`.
 *
 * @see https://cloud.google.com/apis/design/errors#error_details
 */
export function retryDelayMsIn(details: unknown): number | undefined {
  const found = Array.isArray(details) ? details.map((each) => (each as Fields)?.retryDelay) : [];
  const delay = found.find((each) => typeof each === 'string');
  return delay?.endsWith('s') === true ? numberIn(delay.slice(0, -1), 1_000) : undefined;
}

export function longest(waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : Math.min(Math.max(...known), LONGEST_RETRY_AFTER_MS);
}

function numberIn(text: string | null, unitMs = 1): number | undefined {
  const isNumber = /^\d+(\.\d+)?$/.test(text?.trim() ?? '');
  return isNumber ? Number(text) * unitMs : undefined;
}

/** A date begins with its weekday; `Date.parse` accepts many other texts. */
function timeIn(text: string | null, now: number): number | undefined {
  const time = /^[A-Z][a-z]+,? /.test(text?.trim() ?? '') ? Date.parse(text ?? '') : NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
