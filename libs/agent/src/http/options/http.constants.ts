/** Injection token of the `AgentHttpOptions`. */
export const HTTP_OPTIONS = Symbol('nestjs-agent:http-options');

/** The header that shows the session where nobody is logged in. */
export const SESSION_HEADER = 'x-agent-session';
