/** The log's text for any thrown value: it may be no `Error`, and reading it may throw. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  } catch {
    return 'What was thrown cannot be shown as text.';
  }
}

/** The message of any thrown value, on which a longer message rests. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
