// Reads a request's words: its parts, values, verbs, and the agent that it addresses.
export { addressedIn, isAsking } from './addressed';
export { valuesIn, withoutValues, type ClauseValue } from './clause';
export { splitRequests } from './clause.splitter';
export { spellOut } from './spell-out';
export {
  intentOf,
  isPlural,
  isReadWord,
  isStopWord,
  normalizeWord,
  wordsOf,
  writeVerbOf,
} from './words';
