// Agents that ask agents: the tools by which they do, and the runs bound to a call. The runs
// themselves are in `lifecycle`.
export { AgentDirectory, type AskedAgent, type Question } from './agent-directory';
export { AskTools } from './ask-tools';
export { AskedRuns } from './asked-runs';
export { childRunId, childSessionId } from './child-ids';
