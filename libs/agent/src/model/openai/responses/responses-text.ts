/** The text of a message that was passed on. */
export class ResponsesText {
  private readonly parts = new Set<unknown>();
  private said = '';

  add(words: string, part: unknown): void {
    this.parts.add(part);
    this.said += words;
  }

  /** Whether a part was passed on. One without a number may be any part. */
  has(part: unknown): boolean {
    const { parts } = this;
    return parts.has(part) || parts.has(undefined) || (part === undefined && parts.size > 0);
  }

  /**
   * The rest of the whole message, from where the passed text ends. Services number its parts in
   * different ways, so the text decides. A text that differs from the whole one replaces all parts.
   */
  missing(parts: readonly string[]): string {
    const whole = parts.join('');
    return whole.startsWith(this.said) ? whole.slice(this.said.length) : '';
  }
}
