/** Injection token of the `AgentHttpOptions`. */
export const HTTP_OPTIONS = Symbol('nestjs-agent:http-options');

/** The header with the session of an anonymous caller. */
export const SESSION_HEADER = 'x-agent-session';

/** Injection token of the `EndpointSettings`. */
export const ENDPOINT_SETTINGS = Symbol('nestjs-agent:endpoint-settings');
