// The chat's state as plain data, and the functions that derive one state from another. Only the
// store changes, and nothing in here talks to the server or draws.
export { callsIn } from './calls';
export * from './chat-state';
export { CurrentTurn } from './current-turn';
export * from './selectors';
export { webAddress } from './sources';
export { ChatStore } from './store';
export { declined } from './tool-parts';
export { asking, emptyTurn, turnsOf, withoutLastAnswer } from './turns-of-messages';
