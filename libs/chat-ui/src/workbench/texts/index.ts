// The words of the workbench, in English and German. It is a page of its own, in one language, so they
// are chosen once.
import { DE } from './de';
import { EN } from './en';

const asked = globalThis.document?.documentElement.lang.toLowerCase().split('-')[0];

/** The language of the words: English for all others. */
export const LANGUAGE = asked === 'de' ? 'de' : 'en';

export const WORDS = LANGUAGE === 'de' ? DE : EN;
