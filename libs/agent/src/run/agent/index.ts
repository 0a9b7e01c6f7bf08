// One agent's objects. They are put together by hand: as providers of each agent they would make the
// boot of an application with many agents slow. Nest provides only what others inject.
export { AgentCalls } from './agent-calls';
export { AgentRuns } from './agent-runs';
export { AgentServices } from './agent-services';
export { AGENT_SETTINGS, type AgentSettings } from './agent-settings';
