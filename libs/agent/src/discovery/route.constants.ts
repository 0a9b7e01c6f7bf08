/**
 * Metadata key that marks the agent's own controllers. A route of theirs cannot be a tool: the
 * agent would call itself.
 */
export const AGENT_ENDPOINT = Symbol('nestjs-agent:endpoint');
