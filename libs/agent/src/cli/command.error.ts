/** What was given to the command cannot be used. The message says what to change. */
export class CommandError extends Error {}
