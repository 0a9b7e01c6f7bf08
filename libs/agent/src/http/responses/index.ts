// OpenAI's Responses protocol over stored sessions: request reader, encoder, responses by their ids.
export { ResponseConversations } from './response-conversations';
export { responseIdOf } from './response-ids';
export { blocksOfTask, type ResponseRequest, responseRequestOf } from './request';
export { ResponsesEncoder } from './responses.encoder';
export { callsIn, type EarlierCalls, NO_EARLIER_CALLS } from './run-parts';
export { type StoredResponse, StoredResponses } from './stored-responses';
