/**
 * Follows JSON as it streams in, and tells whether it may be complete: the brackets of one object
 * are closed, and nothing follows them. Parsing the whole text at each piece would take too long.
 */
export class JsonProgress {
  private state: 'before' | 'inside' | 'whole' | 'broken' = 'before';
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  get isWhole(): boolean {
    return this.state === 'whole';
  }

  add(text: string): void {
    for (const char of text) {
      if (this.state === 'broken') return;
      if (this.isInString) this.addToString(char);
      else this.addOutside(char);
    }
  }

  private addToString(char: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (char === '\\') this.isEscaped = true;
    else if (char === '"') this.isInString = false;
  }

  private addOutside(char: string): void {
    const isBlank = char.trim() === '';
    if (isBlank) return;
    if (this.state === 'whole' || (this.state === 'before' && char !== '{')) this.state = 'broken';
    else if (char === '"') this.isInString = true;
    else if (char === '{' || char === '[') {
      this.state = 'inside';
      this.depth += 1;
    } else if (char === '}' || char === ']') {
      this.depth -= 1;
      if (this.depth === 0) this.state = 'whole';
    }
  }
}
