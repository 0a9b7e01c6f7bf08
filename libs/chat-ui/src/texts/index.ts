// The words of the chat, in English and German. A language is one file of the shape of `en.ts`; the
// compiler reports a missing text, and a test a missing placeholder. Texts for the model are with the tools.
export { EN } from './en';
export type { OwnTexts } from '../../public/agent-chat.mjs';
export { type Texts, textsOf } from './texts';
export { filled, type IsSpoken, wordsOf } from './words';
