const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A foreign text for one line of the log: line breaks, control characters and those that change the
 * direction of text are written as `\uXXXX`, so that it can neither forge lines nor control a
 * terminal.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
