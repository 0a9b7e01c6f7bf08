import type { OwnTexts } from '../../public/agent-chat.mjs';

/**
 * The words of a language, with a page's own in their place.
 *
 * @param languages the words by languages, English among them
 * @param lang a language tag, such as `de-CH`; English stands in for a language that is not there
 */
export function wordsOf<Words extends object>(
  languages: ReadonlyMap<string, Words>,
  lang: string,
  own: OwnTexts<Words> = {},
): Words {
  const [language = ''] = lang.toLowerCase().split('-');
  return replaced((languages.get(language) ?? languages.get('en')) as Words, own);
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
