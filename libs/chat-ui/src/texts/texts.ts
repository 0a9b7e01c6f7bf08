import type { AgentChatTexts, OwnTexts } from '../../public/agent-chat.mjs';
import { DE } from './de';
import { EN } from './en';
import { wordsOf } from './words';

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
export function textsOf(lang: string, own?: OwnTexts): Texts {
  return wordsOf(LANGUAGES, lang, own);
}
