// What stands around the conversation: page and sidebar, header, past sessions, notices. A new place
// on the screen goes here; what is said in the conversation goes to `turns`.
export { Root } from './root';
