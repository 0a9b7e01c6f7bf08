// Body parsing for the agent's endpoints, and their limits.
export { checkRest } from './attachment-room';
export { invalidRequest, jsonBodyOf, readBody, readJsonBody } from './json-body';
export { type AgentPaths, agentPaths, endpointPaths } from './agent-paths';
export { installOnExpress } from './express-body';
export { installOnFastify } from './fastify-body';
