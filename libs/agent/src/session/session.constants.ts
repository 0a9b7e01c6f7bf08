/** Injection token of the `SessionStore` in use. Override it in tests. */
export const SESSION_STORE = Symbol('nestjs-agent:session-store');
/** The longest time a timer can hold, in milliseconds: Node fires a longer one at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
