// The sessions behind the ids by which front-ends name their conversations.
export { ClientThreads, type Thread } from './client-threads';
