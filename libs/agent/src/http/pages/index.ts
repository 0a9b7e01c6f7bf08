// How the agent's pages and their scripts are answered.
export { sendAsset, sendPage } from './send-page';
