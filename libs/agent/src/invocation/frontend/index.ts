// Tools that run in the caller's browser: a call waits for its delivery.
export { buildFrontendTool } from './frontend.invoker';
