// The check of AgentModule's options. It is loaded with the first agent, not with the package.
export { checkAnswer, checkAsyncOptions, checkModuleOptions } from './check-options';
