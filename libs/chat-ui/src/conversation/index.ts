// The actions of the chat: it sends messages, answers and results, follows runs, and keeps sessions
// and suggestions up to date. It changes the state, and draws nothing.
export { Conversation } from './conversation';
export type { ApprovalAnswer } from './run-answers';
export { StoredSessions } from './stored-sessions';
export { Surroundings } from './surroundings';
export { Toasts } from './toasts';
