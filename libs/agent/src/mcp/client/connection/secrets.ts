import { KnownValues, SHORTEST } from './known-values';

/** Values of computed headers to keep; beyond it the oldest are forgotten. */
const MOST_ROTATING = 1_000;
/** Words of a header that name its scheme. */
const SCHEMES: ReadonlySet<string> = new Set(['bearer', 'basic', 'digest', 'apikey', 'api-key']);

/** Masks configured values in texts from servers, for the log and for the model. */
export class Secrets {
  private readonly configured = new Set<string>();
  /** The oldest first. */
  private readonly rotating = new Set<string>();
  /** All of them; computed on demand. */
  private known: KnownValues | undefined;

  /** Adds values of the options, which are never forgotten; of `Bearer token` the token, too. */
  configure(values: Iterable<string>): void {
    for (const part of partsOf(values)) this.configured.add(part);
    this.known = undefined;
  }

  /** Adds values that were made for a request. Beyond 1 000 the oldest are forgotten. */
  add(values: Iterable<string>): void {
    for (const part of partsOf(values)) {
      if (this.configured.has(part)) continue;
      if (!this.rotating.delete(part)) this.known = undefined;
      this.rotating.add(part);
    }
    for (const oldest of this.rotating) {
      if (this.rotating.size <= MOST_ROTATING) break;
      this.rotating.delete(oldest);
    }
  }

  readonly mask = (text: string): string => this.masked(text, text.length);

  /** Masks a text that was cut at its end, where the beginning of a value may be left. */
  maskCut(text: string): string {
    return this.masked(text, text.length - this.values().cutIn(text));
  }

  /** Masks a text up to a character, where a value may begin before and end behind it. */
  private masked(text: string, until: number): string {
    let masked = '';
    let from = 0;
    for (const [start, end] of this.values().rangesIn(text)) {
      if (start >= until) break;
      masked += `${text.slice(from, start)}***`;
      from = end;
    }
    return masked + text.slice(from, Math.max(from, until));
  }

  private values(): KnownValues {
    return (this.known ??= new KnownValues([...this.configured, ...this.rotating]));
  }
}

/** The values, their words, and both as they stand within JSON. */
function partsOf(values: Iterable<string>): readonly string[] {
  return (
    [...values]
      .flatMap((value) => [value, ...value.split(/\s+/)])
      // Shorter ones would mask ordinary words.
      .filter((part) => part.length >= SHORTEST && !SCHEMES.has(part.toLowerCase()))
      .flatMap((part) => [part, JSON.stringify(part).slice(1, -1)])
  );
}
