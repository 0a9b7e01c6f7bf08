// How the agent's pages and their scripts are answered.
export { isFolder, sendPage } from './send-page';
export { sendAsset } from './send-asset';
