import { addUsage, NO_USAGE, type Usage } from '../../message';
import type { SessionState } from '../../session';
import type { RunProgress } from './run-ending';

/** The totals of a run so far; a resumed run continues those of its journal. */
export class RunTotals implements RunProgress {
  usage: Usage;
  steps: number;
  toolCalls: number;
  text = '';

  constructor({ run }: SessionState) {
    this.usage = run?.usage ?? NO_USAGE;
    this.steps = run?.steps ?? 0;
    this.toolCalls = run?.calls.length ?? 0;
  }

  add(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
  }
}
