/** Injection token of the `SessionStore` in use. Override it in tests. */
export const SESSION_STORE = Symbol('nestjs-agent:session-store');
