// The connection to the server: its endpoints, credentials, event streams and errors. Nothing here
// knows the view; every other room may import it.
export { AgentApi, type EventStream } from './agent-api';
export { ApiError, isOutdated, isStatus, unexpectedAnswer } from './api-error';
export type { ActionBody, Attachment, BrowserOutcome, ChatBody, RunAddress } from './bodies';
export { Credentials } from './credentials';
export { isObjectWith, jsonOf } from './json';
export type * from './protocol';
