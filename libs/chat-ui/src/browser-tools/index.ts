// Tools that run in the user's page: the box that holds them, and the four that come with the chat.
// A new one is one file with a factory, named in `ready-made.ts`; its texts are for the model.
export { ReadyMadeTools } from './ready-made';
export { sanitiseSvg } from './sanitise-svg';
export type { Theme } from './theme.tool';
export { ToolBox } from './tool-box';
