import type { Tool } from './tool';

/** Printed warnings per subject; the rest are counted. */
const MOST_PER_SUBJECT = 8;
/** Printed warnings in total at boot, and again while the application runs. */
const MOST_IN_ALL = 60;

/** A tool as the report names it: `orders_find_all (OrdersController.findAll)`. */
export function subjectOf({ definition, source }: Pick<Tool, 'definition' | 'source'>): string {
  return `${definition.name} (${source})`;
}

/**
 * Collects warnings about the application's tools and prints them as one log message once all tools
 * are inspected. Later warnings (run-time tools, lazily loaded modules) are logged at once. Each
 * warning is logged once, and their number is bounded.
 */
export class BootReport {
  private readonly doubts = new Map<string, Set<string>>();
  private isPrinted = false;
  private late = 0;

  /** @param write logs a warning, possibly of several lines */
  constructor(private readonly write: (message: string) => void) {}

  /**
   * Adds a warning; a duplicate is ignored.
   *
   * @param subject the subject, such as `subjectOf(tool)`
   * @param doubt the problem and its remedy, in one or two sentences
   */
  add(subject: string, doubt: string): void {
    if (this.isPrinted && this.late >= MOST_IN_ALL) return;
    const known = this.doubts.get(subject) ?? new Set<string>();
    if (known.has(doubt)) return;
    this.doubts.set(subject, known.add(doubt));
    if (this.isPrinted) this.logLate(subject, doubt);
  }

  /** The warnings about a subject, in the order in which they were added. */
  about(subject: string): readonly string[] {
    return [...(this.doubts.get(subject) ?? [])];
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
    const lines: string[] = [];
    let printed = 0;
    let omitted = 0;
    for (const [subject, doubts] of this.doubts) {
      const shown = [...doubts].slice(0, Math.min(MOST_PER_SUBJECT, MOST_IN_ALL - printed));
      printed += shown.length;
      omitted += doubts.size - shown.length;
      if (shown.length > 0) lines.push(`  ${subject}`, ...shown.map((doubt) => `    - ${doubt}`));
    }
    if (omitted > 0) lines.push(`  ${omitted} more ${omitted === 1 ? 'is' : 'are'} not shown.`);
    return `Some tools may not work as you expect:\n${lines.join('\n')}`;
  }
}
