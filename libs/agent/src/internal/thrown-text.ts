/** What the log says of anything that was thrown, which need be no error and may refuse to be read. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  } catch {
    return 'What was thrown cannot be shown as text.';
  }
}
