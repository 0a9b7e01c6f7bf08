import { printable } from '../../internal';
import type { JsonObject } from '../../message';

/** Maximum number of arguments in a long question, so that each keeps a readable part. */
const MAX_ARGUMENTS = 20;
/** Characters of an argument's name in a long question. */
const MAX_NAME = 30;
/** Characters that shortening adds to a text at most. */
const MAX_NOTE = 35;

/**
 * The arguments of a call in at most `maxChars` characters, for the person who decides. Long arguments are
 * shortened one by one, so that none hides the others.
 */
export function shownArguments(args: JsonObject, maxChars: number): string {
  const whole = printable(JSON.stringify(args, null, 2), '\n');
  if (whole.length <= maxChars) return whole;
  const entries = Object.entries(args);
  const shown = entries.slice(0, MAX_ARGUMENTS);
  const hidden = entries.length - shown.length;
  const first = 'The arguments are too long to be shown whole:';
  const last = hidden > 0 ? [`… and ${hidden} more arguments that are not shown`] : [];
  const names = shown.map(([name]) => beginOf(name, MAX_NAME));
  const taken = [first, ...names.map((name) => `${name}: `), ...last].join('\n').length;
  const share = Math.floor((maxChars - taken) / shown.length) - MAX_NOTE;
  const lines = shown.map(
    ([, value], index) => `${names[index]}: ${bothEndsOf(JSON.stringify(value), share)}`,
  );
  return [first, ...lines, ...last].join('\n');
}

/** The begin of a text, if it has more than `maxChars` characters. */
export function beginOf(text: string, maxChars: number): string {
  const shown = printable(text);
  return shown.length <= maxChars ? shown : `${shown.slice(0, maxChars - 1)}…`;
}

/** Begin and end of a text, and the number of characters between them. */
function bothEndsOf(text: string, maxChars: number): string {
  const shown = printable(text);
  if (shown.length <= maxChars) return shown;
  const half = Math.floor(maxChars / 2);
  const hidden = shown.length - 2 * half;
  return `${shown.slice(0, half)} …(${hidden} characters not shown)… ${shown.slice(-half)}`;
}
