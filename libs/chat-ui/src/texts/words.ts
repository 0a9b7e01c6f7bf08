import type { OwnTexts } from '../../public/agent-chat.mjs';

/** Whether a language is spoken. */
export type IsSpoken = (language: string) => boolean;

/**
 * The texts of a language, overridden by a page's own.
 *
 * @param languages the words by languages, English among them
 * @param isSpoken whether a language, by its tag, is that of the page; English stands in for others
 */
export function wordsOf<Words extends object>(
  languages: ReadonlyMap<string, Words>,
  isSpoken: IsSpoken,
  own: OwnTexts<Words> = {},
): Words {
  const language = [...languages.keys()].find(isSpoken) ?? 'en';
  return replaced(languages.get(language) as Words, own);
}

/** A text with its values in the place of their names. A value is never read as a text again. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (name, key: string) =>
    Object.hasOwn(values, key) ? String(values[key]) : name,
  );
}

/** Only texts that exist, and only by texts: the words may come from an attribute. */
function replaced<T extends object>(texts: T, own: unknown): T {
  if (typeof own !== 'object' || own === null) return texts;
  const entries = Object.entries(texts).map(([key, text]: [string, unknown]) => {
    const other: unknown = Object.hasOwn(own, key) ? Reflect.get(own, key) : undefined;
    if (typeof text === 'object' && text !== null) return [key, replaced(text, other)];
    return [key, typeof other === 'string' ? other : text];
  });
  return Object.fromEntries(entries) as T;
}
