import { printable } from '../../internal';
import type { JsonObject } from '../../message';

/** Characters of the arguments in a question. */
const MAX_CHARS = 2_000;
/** Maximum number of arguments in a long question, so that each keeps a readable part. */
const MAX_ARGUMENTS = 20;

/**
 * The arguments of a call, for the person who decides. Long arguments are shortened one by one, so
 * that none hides the others.
 */
export function shownArguments(args: JsonObject): string {
  const whole = printable(JSON.stringify(args, null, 2), '\n');
  if (whole.length <= MAX_CHARS) return whole;
  const entries = Object.entries(args);
  const shown = entries.slice(0, MAX_ARGUMENTS);
  const share = Math.floor(MAX_CHARS / shown.length) - 60;
  const lines = shown.map(
    ([name, value]) => `${shortened(name, 40)}: ${shortened(JSON.stringify(value), share)}`,
  );
  const hidden = entries.length - shown.length;
  return [
    'The arguments are too long to be shown whole:',
    ...lines,
    ...(hidden > 0 ? [`… and ${hidden} more arguments that are not shown`] : []),
  ].join('\n');
}

/** Begin and end of a text, and the number of characters between them. */
function shortened(text: string, maxChars: number): string {
  const shown = printable(text);
  if (shown.length <= maxChars) return shown;
  const half = Math.floor(maxChars / 2);
  const hidden = shown.length - 2 * half;
  return `${shown.slice(0, half)} …(${hidden} characters not shown)… ${shown.slice(-half)}`;
}
