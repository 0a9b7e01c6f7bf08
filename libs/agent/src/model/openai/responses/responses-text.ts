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
   * The parts of the whole message that were not passed on. Services number them in different ways,
   * so the text decides. A text that differs from the whole one replaces all parts.
   */
  missing(parts: readonly string[]): readonly string[] {
    let { said } = this;
    return parts.filter((words) => {
      const isMissing = said === '' && words !== '';
      if (said.startsWith(words)) said = said.slice(words.length);
      return isMissing;
    });
  }
}
