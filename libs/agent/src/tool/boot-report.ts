import { getOrAdd } from '../internal';
import type { Tool } from './tool';

/** Printed warnings per subject; the rest are counted. */
const MOST_PER_SUBJECT = 8;
/** Printed warnings in total at boot, and again while the application runs. */
const MOST_IN_ALL = 60;
/** Warnings of one summary that are printed tool by tool; more become one line. */
const MOST_IN_DETAIL = 5;

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
  /** The warnings of each subject, with their summaries. */
  private readonly warnings = new Map<string, Map<string, string | undefined>>();
  private isPrinted = false;
  private late = 0;

  /** @param write logs a warning, possibly of several lines */
  constructor(private readonly write: (message: string) => void) {}

  /**
   * Adds a warning; a duplicate is ignored.
   *
   * @param subject the subject, such as `subjectOf(tool)`
   * @param warning the problem and its remedy, in one or two sentences
   * @param summary the noun of a slight warning that many tools may have, such as `parameters without a
   * description`: printed once for all of them
   */
  add(subject: string, warning: string, summary?: string): void {
    if (this.isPrinted && this.late >= MOST_IN_ALL) return;
    const known = getOrAdd(this.warnings, subject, () => new Map<string, string | undefined>());
    if (known.has(warning)) return;
    known.set(warning, summary);
    if (this.isPrinted) this.logLate(subject, warning);
  }

  /** The warnings about a subject, in the order in which they were added. */
  about(subject: string): readonly string[] {
    return [...(this.warnings.get(subject)?.keys() ?? [])];
  }

  /** Prints the collected warnings, if any; later warnings are logged at once. */
  print(): void {
    if (this.isPrinted) return;
    this.isPrinted = true;
    if (this.warnings.size > 0) this.write(this.text());
  }

  private logLate(subject: string, warning: string): void {
    this.late += 1;
    this.write(`${subject}: ${warning}`);
    if (this.late === MOST_IN_ALL) this.write('Further warnings about tools are not logged.');
  }

  private text(): string {
    const summaries = this.summaries();
    const lines: string[] = [];
    let left = MOST_IN_ALL;
    let omitted = 0;
    for (const [subject, warnings] of this.warnings) {
      const detailed = [...warnings]
        .filter(([, summary]) => summary === undefined || !summaries.has(summary))
        .map(([warning]) => warning);
      const shown = detailed.slice(0, Math.min(left, MOST_PER_SUBJECT));
      if (shown.length > 0)
        lines.push(`  ${subject}`, ...shown.map((warning) => `    - ${warning}`));
      left -= shown.length;
      omitted += detailed.length - shown.length;
    }
    if (omitted > 0) lines.push(`  ${omitted} more ${omitted === 1 ? 'is' : 'are'} not shown.`);
    for (const [summary, subjects] of summaries) {
      const named = subjects.slice(0, MOST_IN_DETAIL).join(', ');
      const others = subjects.length - MOST_IN_DETAIL;
      lines.push(`  ${subjects.length} tools have ${summary}: ${named} and ${others} more.`);
    }
    return `Some tools may not work as you expect:\n${lines.join('\n')}`;
  }

  /** The summaries that more subjects have than are printed in detail. */
  private summaries(): ReadonlyMap<string, readonly string[]> {
    const subjects = new Map<string, string[]>();
    for (const [subject, warnings] of this.warnings) {
      for (const summary of warnings.values()) {
        if (summary !== undefined) getOrAdd(subjects, summary, () => []).push(subject);
      }
    }
    return new Map([...subjects].filter(([, those]) => those.length > MOST_IN_DETAIL));
  }
}
