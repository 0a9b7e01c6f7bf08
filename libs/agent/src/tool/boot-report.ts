import type { Tool } from './tool';

/** Doubts of one subject that are printed; the rest are counted. */
const MOST_PER_SUBJECT = 8;
/** Doubts that are printed in all, and again of those that come up while the application runs. */
const MOST_IN_ALL = 60;

/** A tool as the report names it: `orders_find_all (OrdersController.findAll)`. */
export function subjectOf({ definition, source }: Pick<Tool, 'definition' | 'source'>): string {
  return `${definition.name} (${source})`;
}

/**
 * Collects what is doubtful about the application's tools and prints it as one log message once all
 * have been looked at. What is found later (run-time tools, lazily loaded modules) is logged as it is
 * found. Each doubt is told once, and all of them are bounded.
 */
export class BootReport {
  private readonly doubts = new Map<string, Set<string>>();
  private isPrinted = false;
  private late = 0;

  /** @param write logs a warning, which may have several lines */
  constructor(private readonly write: (message: string) => void) {}

  /**
   * Reports a doubt; the same one a second time is ignored.
   *
   * @param subject what it is about, such as `subjectOf(tool)`
   * @param doubt what is doubtful and what to do about it, as one sentence or two
   */
  add(subject: string, doubt: string): void {
    if (this.isPrinted && this.late >= MOST_IN_ALL) return;
    const known = this.doubts.get(subject) ?? new Set<string>();
    if (known.has(doubt)) return;
    this.doubts.set(subject, known.add(doubt));
    if (this.isPrinted) this.logLate(subject, doubt);
  }

  /** Prints what was collected, or nothing where nothing was; from now on doubts are logged at once. */
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
