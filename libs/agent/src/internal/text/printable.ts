/** Invisible characters, those that change the direction of text, and those that control a terminal. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/**
 * A foreign text for a log or a person: every invisible character is written as `\uXXXX`, so that none
 * can forge lines, hide a part, or control a terminal.
 *
 * @param kept a character to keep as it is, such as a line break
 */
export function printable(text: string, kept?: string): string {
  return text.replaceAll(UNSEEN, (character) =>
    character === kept ? character : character.split('').map(escaped).join(''),
  );
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
