/**
 * Metadata key that marks the agent's own controllers. Their routes cannot be tools: the agent
 * would call itself.
 */
export const AGENT_ENDPOINT = Symbol('nestjs-agent:endpoint');
