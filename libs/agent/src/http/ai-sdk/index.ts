// The AI SDK's UI message stream, for `useChat` of `ai` 6 and 7: request reader, turns, encoder,
// history.
export { type AiSdkRequest, aiSdkRequestOf } from './ai-sdk-request';
export { AiSdkEncoder } from './ai-sdk.encoder';
export { type AiSdkTurn, AiSdkTurns } from './ai-sdk-turns';
export { uiMessagesOf } from './history';
export { answerIdOf } from './message-ids';
export { withoutAnswered } from './replay';
