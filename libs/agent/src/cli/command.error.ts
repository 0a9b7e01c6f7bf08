/** What was given to the command cannot be used. The message says what to change. */
export class CommandError extends Error {}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
