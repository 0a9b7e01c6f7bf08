// The sessions behind the ids by which front-ends name their conversations.
export { ClientThreads, type Thread } from './client-threads';
export { areCutOff, CUT_OFF } from './cut-off';
