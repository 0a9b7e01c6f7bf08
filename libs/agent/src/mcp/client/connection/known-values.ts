/** The fewest characters of a value: the first ones of each decide where a pass looks closer. */
export const SHORTEST = 6;
/** Of older characters nothing is left in a hash: each further one moves it by 5 bits. */
const HASH_BITS = 0x3fff_ffff;
const SLOT_BITS = 16;
/** The most comparisons of a pass: for any text, and for each of its characters. */
const COMPARISONS = 1_000_000;
const COMPARISONS_EACH = 32;

/** A part of a text, from its first character to behind its last. */
type Range = [start: number, end: number];

/**
 * Values that are found in a text in one pass, however many they are. The pass looks closer only
 * where the hash of some characters is that of a value's first ones.
 */
export class KnownValues {
  private readonly slots = new Uint8Array(1 << SLOT_BITS);
  /** In order, so that the one that starts a text is found by bisection. */
  private readonly sorted: readonly string[];
  /** For each value, the index of the longest other one that it starts with; else -1. */
  private readonly starts: number[] = [];
  private comparisons = 0;

  constructor(values: readonly string[]) {
    this.sorted = [...values].sort();
    for (const [index, value] of this.sorted.entries()) {
      this.slots[slotOf(hashOf(value))] = 1;
      let shorter = index - 1;
      while (shorter >= 0 && !value.startsWith(this.valueAt(shorter))) {
        shorter = this.startOf(shorter);
      }
      this.starts.push(shorter);
    }
  }

  /**
   * Where values stand in a text, in order; values that overlap are one range. A text made of
   * beginnings of values, which only an attack is, counts as one from where it costs too much.
   */
  rangesIn(text: string): readonly Range[] {
    const ranges: Range[] = [];
    if (this.sorted.length === 0) return ranges;
    const most = COMPARISONS + COMPARISONS_EACH * text.length;
    this.comparisons = 0;
    let last: Range | undefined;
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = extended(hash, text.charCodeAt(at));
      const start = at - SHORTEST + 1;
      if (this.slots[slotOf(hash)] === 0 || start < 0) continue;
      const found = start + this.lengthAt(text, start);
      const end = this.comparisons > most ? text.length : found;
      if (end === start) continue;
      if (last === undefined || last[1] <= start) ranges.push((last = [start, end]));
      else last[1] = Math.max(last[1], end);
      if (this.comparisons > most) break;
    }
    return ranges;
  }

  /** The number of characters at the end of the text with which a value begins. */
  cutIn(text: string): number {
    for (let start = 0; start < text.length; start += 1) {
      const [next] = this.firstAfter(text, start);
      if (this.sorted[next]?.startsWith(text.slice(start)) === true) return text.length - start;
    }
    return 0;
  }

  /** The length of the longest value that stands there; 0 if none does. */
  private lengthAt(text: string, start: number): number {
    const [next, common] = this.firstAfter(text, start);
    // All values that stand there begin the last one before the text.
    let index = next - 1;
    while (index >= 0 && this.valueAt(index).length > common) {
      index = this.startOf(index);
      this.comparisons += 1;
    }
    return this.valueAt(index).length;
  }

  /**
   * The index of the first value that comes after the text from a character on, and how many
   * characters the value before it has in common with the text.
   */
  private firstAfter(text: string, start: number): readonly [index: number, common: number] {
    let [low, high] = [0, this.sorted.length];
    let [lowCommon, highCommon] = [0, 0];
    while (low < high) {
      const middle = (low + high) >> 1;
      const value = this.valueAt(middle);
      const common = commonOf(text, start, value, Math.min(lowCommon, highCommon));
      this.comparisons += 1 + common - Math.min(lowCommon, highCommon);
      // Not a number, and so not less, where the text ends.
      const isBefore =
        common === value.length || value.charCodeAt(common) < text.charCodeAt(start + common);
      if (isBefore) [low, lowCommon] = [middle + 1, common];
      else [high, highCommon] = [middle, common];
    }
    return [low, lowCommon];
  }

  private valueAt(index: number): string {
    return this.sorted[index] ?? '';
  }

  private startOf(index: number): number {
    return this.starts[index] ?? -1;
  }
}

/** How many characters of a value the text has from a character on; some are known to be. */
function commonOf(text: string, start: number, value: string, known: number): number {
  let common = known;
  const most = Math.min(value.length, text.length - start);
  while (common < most && value.charCodeAt(common) === text.charCodeAt(start + common)) {
    common += 1;
  }
  return common;
}

function hashOf(value: string): number {
  let hash = 0;
  for (let at = 0; at < SHORTEST; at += 1) hash = extended(hash, value.charCodeAt(at));
  return hash;
}

function extended(hash: number, code: number): number {
  return ((hash << 5) ^ code) & HASH_BITS;
}

function slotOf(hash: number): number {
  return Math.imul(hash, 0x9e37_79b1) >>> (32 - SLOT_BITS);
}
