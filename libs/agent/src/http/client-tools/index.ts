// Tools that a front-end on the protocol of others defines and runs itself.
export { clientToolsOf, type ClientToolSet, type SentTool } from './client-tools';
