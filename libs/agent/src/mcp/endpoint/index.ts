// One HTTP exchange of MCP: its origin, its revision, its answer. No method is known here.
export { elicitsForms, newMcpSessionId, SESSION_ID_HEADER } from './client';
export { eraOf, type RequestEra } from './era';
export { Reply } from './reply';
export { OpenQuestions } from './open-questions';
export { RunningRequests, type Sender } from './running-requests';
