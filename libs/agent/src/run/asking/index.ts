// Agents that ask agents: the tools for it, and the runs bound to their calls. `lifecycle` executes
// these runs.
export { AgentDirectory, type AskedAgent, type Question } from './agent-directory';
export { AskTools } from './ask-tool';
export { AskedRuns } from './asked-runs';
