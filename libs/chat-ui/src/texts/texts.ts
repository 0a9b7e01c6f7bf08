import type { AgentChatTexts, OwnTexts } from '../../public/agent-chat.mjs';
import { DE } from './de';
import { EN } from './en';

/** The words of one language. */
export type Texts = AgentChatTexts;

const LANGUAGES: ReadonlyMap<string, Texts> = new Map([
  ['en', EN],
  ['de', DE],
]);

/**
 * The words of a language, with a page's own in their place.
 *
 * @param lang a language tag, such as `de-CH`; English stands in for a language that is not there
 */
export function textsOf(lang: string, own: OwnTexts = {}): Texts {
  const [language = ''] = lang.toLowerCase().split('-');
  return replaced(LANGUAGES.get(language) ?? EN, own);
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
