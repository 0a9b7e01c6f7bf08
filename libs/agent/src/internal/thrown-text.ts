/** The log's text for any thrown value, which need be no error and may fail to be read. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  } catch {
    return 'What was thrown cannot be shown as text.';
  }
}
