import type { Tool } from './tool';

/** Printed warnings per subject; the rest are counted. */
const MOST_PER_SUBJECT = 8;
/** Printed warnings in total at boot, and again while the application runs. */
const MOST_IN_ALL = 60;

/** A tool as the report names it: `orders_find_all (OrdersController.findAll)`. */
export function subjectOf({ definition, source }: Pick<Tool, 'definition' | 'source'>): string {
  return `${definition.name} (${source})`;
}

/** How much a doubt matters: a slight one, of which many tools have some, is left out first. */
export type DoubtWeight = 'slight' | 'full';

/**
 * Collects warnings about the application's tools and prints them as one log message once all tools
 * are inspected. Later warnings (run-time tools, lazily loaded modules) are logged at once. Each
 * warning is logged once, and their number is bounded.
 */
export class BootReport {
  private readonly doubts = new Map<string, Map<string, DoubtWeight>>();
  private isPrinted = false;
  private late = 0;

  /** @param write logs a warning, possibly of several lines */
  constructor(private readonly write: (message: string) => void) {}

  /**
   * Adds a warning; a duplicate is ignored.
   *
   * @param subject the subject, such as `subjectOf(tool)`
   * @param doubt the problem and its remedy, in one or two sentences
   * @param weight whether others are printed before it
   */
  add(subject: string, doubt: string, weight: DoubtWeight = 'full'): void {
    if (this.isPrinted && this.late >= MOST_IN_ALL) return;
    const known = this.doubts.get(subject) ?? new Map<string, DoubtWeight>();
    if (known.has(doubt)) return;
    this.doubts.set(subject, known.set(doubt, weight));
    if (this.isPrinted) this.logLate(subject, doubt);
  }

  /** The warnings about a subject, in the order in which they were added. */
  about(subject: string): readonly string[] {
    return [...(this.doubts.get(subject)?.keys() ?? [])];
  }

  /** Prints the collected warnings, if any; later warnings are logged at once. */
  print(): void {
    if (this.isPrinted) return;
    this.isPrinted = true;
    if (this.doubts.size > 0) this.write(this.text());
  }

  private logLate(subject: string, doubt: string): void {
    this.late += 1;
    this.write(`${subject}: ${doubt}`);
    if (this.late === MOST_IN_ALL) this.write('Further doubts about tools are not logged.');
  }

  private text(): string {
    const printed = this.printed();
    const lines: string[] = [];
    let omitted = 0;
    for (const [subject, doubts] of this.doubts) {
      const shown = printed.get(subject) ?? new Set();
      omitted += doubts.size - shown.size;
      const told = [...doubts.keys()].filter((doubt) => shown.has(doubt));
      if (told.length > 0) lines.push(`  ${subject}`, ...told.map((doubt) => `    - ${doubt}`));
    }
    if (omitted > 0) lines.push(`  ${omitted} more ${omitted === 1 ? 'is' : 'are'} not shown.`);
    return `Some tools may not work as you expect:\n${lines.join('\n')}`;
  }

  /** The doubts that are within the limits; slight ones take the places that others leave. */
  private printed(): ReadonlyMap<string, ReadonlySet<string>> {
    const printed = new Map<string, Set<string>>();
    let left = MOST_IN_ALL;
    for (const wanted of ['full', 'slight'] as const) {
      for (const [subject, doubts] of this.doubts) {
        const shown = printed.get(subject) ?? new Set<string>();
        for (const [doubt, weight] of doubts) {
          if (weight !== wanted || left === 0 || shown.size === MOST_PER_SUBJECT) continue;
          shown.add(doubt);
          left -= 1;
        }
        printed.set(subject, shown);
      }
    }
    return printed;
  }
}
