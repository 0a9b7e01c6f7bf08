// The words of the workbench, in English and German, as those of the chat: a language is one file of the
// shape of `en.ts`, and a page may put others in their place.
import { type IsSpoken, type OwnTexts, wordsOf } from '../../texts';
import { DE } from './de';
import { EN, type Words } from './en';

export { filled } from '../../texts';
export type { Words };

/** Some of the words. */
export type OwnWords = OwnTexts<Words>;

const LANGUAGES: ReadonlyMap<string, Words> = new Map([
  ['en', EN],
  ['de', DE],
]);

/** The words of a language, with a page's own in their place. */
export function workbenchWords(isSpoken: IsSpoken, own?: OwnWords): Words {
  return wordsOf(LANGUAGES, isSpoken, own);
}
