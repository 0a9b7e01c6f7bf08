import type { AgentChatTexts, OwnTexts } from '../../public/agent-chat.mjs';
import { DE } from './de';
import { EN } from './en';
import { type IsSpoken, wordsOf } from './words';

/** The words of one language. */
export type Texts = AgentChatTexts;

const LANGUAGES: ReadonlyMap<string, Texts> = new Map([
  ['en', EN],
  ['de', DE],
]);

/**
 * The texts of a language, overridden by a page's own.
 *
 * @param isSpoken whether a language, by its tag, is that of the page; English stands in for others
 */
export function textsOf(isSpoken: IsSpoken, own?: OwnTexts): Texts {
  return wordsOf(LANGUAGES, isSpoken, own);
}
