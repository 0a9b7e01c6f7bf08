/** The `SessionStore` in use. Override it in tests, or provide your own. */
export const SESSION_STORE = Symbol('nestjs-agent:session-store');
