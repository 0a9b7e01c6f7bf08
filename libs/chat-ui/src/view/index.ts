// The user interface. `base` knows nothing of the chat, `content` draws contents, `compose` the box
// to write in, `turns` the conversation and `frame` all around it. It reads the state, changes it
// only through the room `conversation`, and takes every text from `texts.ts`.
export { Root } from './frame';
