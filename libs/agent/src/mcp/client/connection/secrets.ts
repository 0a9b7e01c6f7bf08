/** Shorter values would mask ordinary words. */
const SHORTEST = 6;
/** Values of computed headers to keep; beyond it the oldest are forgotten. */
const MOST_ROTATING = 1_000;
/** Words of a header that name its scheme. */
const SCHEMES: ReadonlySet<string> = new Set(['bearer', 'basic', 'digest', 'apikey', 'api-key']);

/** Masks configured values in texts from servers, for the log and for the model. */
export class Secrets {
  private readonly configured = new Set<string>();
  /** The oldest first. */
  private readonly rotating = new Set<string>();
  /** The longest first, since one may contain another; computed on demand. */
  private sorted: readonly string[] | undefined;

  /** Adds values of the options, which are never forgotten; of `Bearer token` the token, too. */
  configure(values: Iterable<string>): void {
    for (const part of partsOf(values)) this.configured.add(part);
    this.sorted = undefined;
  }

  /** Adds values that were made for a request. Beyond 1 000 the oldest are forgotten. */
  add(values: Iterable<string>): void {
    for (const part of partsOf(values)) {
      if (this.configured.has(part)) continue;
      if (!this.rotating.delete(part)) this.sorted = undefined;
      this.rotating.add(part);
    }
    for (const oldest of this.rotating) {
      if (this.rotating.size <= MOST_ROTATING) break;
      this.rotating.delete(oldest);
    }
  }

  readonly mask = (text: string): string => {
    let masked = text;
    for (const value of this.longestFirst()) masked = masked.replaceAll(value, '***');
    return masked;
  };

  /** Masks a text that was cut at its end, where the beginning of a value may be left. */
  maskCut(text: string): string {
    const left = this.longestFirst().map((value) => overlap(text, value));
    return this.mask(text.slice(0, text.length - Math.max(0, ...left)));
  }

  private longestFirst(): readonly string[] {
    this.sorted ??= [...this.configured, ...this.rotating].sort((a, b) => b.length - a.length);
    return this.sorted;
  }
}

/** The values, their words, and both as they stand within JSON. */
function partsOf(values: Iterable<string>): readonly string[] {
  return [...values]
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter((part) => part.length >= SHORTEST && !SCHEMES.has(part.toLowerCase()))
    .flatMap((part) => [part, JSON.stringify(part).slice(1, -1)]);
}

/** The number of characters at the end of the text with which the value begins. */
function overlap(text: string, value: string): number {
  for (let length = Math.min(text.length, value.length - 1); length > 0; length -= 1) {
    if (text.endsWith(value.slice(0, length))) return length;
  }
  return 0;
}
