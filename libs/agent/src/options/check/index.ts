// The check of AgentModule's options. It is loaded with the first agent, not with the package.
export { AGENT_FEATURE_CHECKS, ROOT_CHECKS } from './check-options';
