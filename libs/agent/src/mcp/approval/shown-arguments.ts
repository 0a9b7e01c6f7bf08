import type { JsonObject } from '../../message';

/** Characters of the arguments in a question. */
const MAX_CHARS = 2_000;
/** The most arguments of a long question; each keeps a part that can be read. */
const MAX_ARGUMENTS = 20;

/** Characters that are invisible, change the direction of text, or control a terminal. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/**
 * The arguments of a call, for the person who decides. Long arguments are shortened one by one, so
 * that none hides the others.
 */
export function shownArguments(args: JsonObject): string {
  const whole = visible(JSON.stringify(args, null, 2), '\n');
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

/** A text whose every character can be seen: the others are written as in JSON. */
export function visible(text: string, kept = ''): string {
  return text.replaceAll(UNSEEN, (character) =>
    character === kept
      ? character
      : [...Array(character.length).keys()]
          .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
  );
}

/** Begin and end of a text, and the number of characters between them. */
function shortened(text: string, maxChars: number): string {
  const shown = visible(text);
  if (shown.length <= maxChars) return shown;
  const half = Math.floor(maxChars / 2);
  const hidden = shown.length - 2 * half;
  return `${shown.slice(0, half)} …(${hidden} characters not shown)… ${shown.slice(-half)}`;
}
