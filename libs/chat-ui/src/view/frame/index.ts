// The parts around the conversation: page and sidebar, header, past sessions, notices. A new place on
// the screen goes here; the content of the conversation goes to `turns`.
export { Root } from './root';
