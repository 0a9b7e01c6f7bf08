// What the chat does: it says messages, follows runs, brings answers and results to the server, and
// keeps what surrounds a conversation up to date. It changes the state, and draws nothing.
export { Conversation } from './conversation';
export type { ApprovalAnswer } from './run-answers';
export { StoredSessions } from './stored-sessions';
export { Surroundings } from './surroundings';
export { Toasts } from './toasts';
