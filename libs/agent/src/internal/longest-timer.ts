/** The longest time a timer can hold, in milliseconds: Node fires a longer one at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
