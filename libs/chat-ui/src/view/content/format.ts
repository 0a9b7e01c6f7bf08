import { jsonOf, type JsonValue, type ResultContent } from '../../wire';

const DEEPEST = 64;
/** Line breaks and tabs are seen, and joiners within an emoji, or in Arabic and Indian scripts. */
const UNSEEN =
  /(?![\n\t]|\r\n|[\u200c\u200d][\u0600-\u0dff\p{ExtPict}])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** A stretch of time in the unit that fits: `340 ms`, `2.4 s`, `1 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** An amount of bytes: `340 B`, `1.5 KiB`, `5 MiB`. */
export function bytes(amount: number): string {
  if (amount < 1_024) return `${amount} B`;
  const inKib = amount / 1_024;
  const [value, unit] = inKib < 1_024 ? [inKib, 'KiB'] : [inKib / 1_024, 'MiB'];
  return `${Number(value.toFixed(1))} ${unit}`;
}

export function count(value: number, locale = 'en'): string {
  return value.toLocaleString(locale);
}

/** `list_applications` as people write it: `List applications`. */
export function title(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The beginning of a text, as one line. */
export function shortened(text: string, longest = 160): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length <= longest ? line : `${line.slice(0, longest - 1).trimEnd()}…`;
}

/**
 * A text from a little before its first invisible character on, with these characters written out;
 * empty if there are none. They can hide a part of a text, or show it in another order.
 */
export function unseen(text: string): string {
  const first = text.search(UNSEEN);
  return first < 0
    ? ''
    : shortened(
        text
          .slice(Math.max(0, first - 20))
          .replaceAll(UNSEEN, (each) => `\\u{${each.codePointAt(0)?.toString(16) ?? ''}}`),
      );
}

/** A tool's output as text; JSON is indented. */
export function outputText(output: ResultContent): string {
  if (typeof output !== 'string') {
    return output
      .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
      .join('\n');
  }
  const value = /^\s*[[{]/.test(output) ? (jsonOf(output) as JsonValue | undefined) : undefined;
  return value === undefined || isDeep(value) ? output : json(value);
}

export function json(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return isDeep(value) ? JSON.stringify(value) : JSON.stringify(value, null, 2);
}

/** Indentation grows with the square of the depth, until nothing else is left to see. */
function isDeep(value: JsonValue, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeep(each, levels - 1));
}

/** When something was, in few words. */
export function when(iso: string): string {
  const date = new Date(iso);
  const isToday = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return isToday ? time : `${date.toLocaleDateString()} ${time}`;
}
