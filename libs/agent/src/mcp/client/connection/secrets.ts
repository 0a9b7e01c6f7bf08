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

  /** Adds values of the options, which are never forgotten; of `Bearer token` the token, too. */
  configure(values: Iterable<string>): void {
    for (const part of partsOf(values)) this.configured.add(part);
  }

  /** Adds values that were made for a request. Beyond 1 000 the oldest are forgotten. */
  add(values: Iterable<string>): void {
    for (const part of partsOf(values)) {
      if (this.configured.has(part)) continue;
      this.rotating.delete(part);
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
    const left = this.values().map((value) => overlap(text, value));
    return this.masked(text, text.length - Math.max(0, ...left));
  }

  /** Masks a text up to a character, where a value may begin before and end behind it. */
  private masked(text: string, until: number): string {
    let masked = '';
    let from = 0;
    for (const { start, end } of joined(this.values().flatMap((value) => rangesOf(value, text)))) {
      if (start >= until) break;
      masked += `${text.slice(from, start)}***`;
      from = end;
    }
    return masked + text.slice(from, Math.max(from, until));
  }

  private values(): readonly string[] {
    return [...this.configured, ...this.rotating];
  }
}

/** A part of a text, from its first character to behind its last. */
interface Range {
  readonly start: number;
  end: number;
}

/** The ranges of a value in a text. They may overlap. */
function rangesOf(value: string, text: string): readonly Range[] {
  const ranges: Range[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    add(ranges, { start: at, end: at + value.length });
  }
  return ranges;
}

/** Ranges in order; those that overlap become one. */
function joined(ranges: readonly Range[]): readonly Range[] {
  const apart: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) add(apart, range);
  return apart;
}

/** Adds a range that begins no earlier than the others. */
function add(ranges: Range[], { start, end }: Range): void {
  const last = ranges.at(-1);
  if (last === undefined || last.end <= start) ranges.push({ start, end });
  else last.end = Math.max(last.end, end);
}

/** The values and their words, plain and escaped as in JSON. */
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
