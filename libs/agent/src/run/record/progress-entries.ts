import type { Usage } from '../../message';
import {
  ENTRY_VERSION,
  numbersOf,
  withAskedEvent,
  type PieceBody,
  type RecordedEntry,
} from '../../session';
import type { AskedAgentEvent, Unstored } from './held-events';

/** The progress of a run's tools and asked agents, as entries that the next write stores. */
export class ProgressEntries {
  private readonly entries: RecordedEntry[] = [];

  constructor(private readonly runId: string) {}

  /** Adds an event that was sent under this number. */
  add(body: Exclude<Unstored, PieceBody>, seq: number): void {
    if ('event' in body) return this.addAsked(body, seq);
    const { callId, data } = body;
    const entry = { type: 'call.progressed', runId: this.runId, callId, data } as const;
    this.entries.push({ v: ENTRY_VERSION, seq, ...entry });
  }

  /** Adds the tokens of an asked agent. */
  spend(callId: string, modelName: string, usage: Usage): void {
    const entry = { type: 'agent.spent', runId: this.runId, callId, modelName, usage } as const;
    this.entries.push({ v: ENTRY_VERSION, ...entry });
  }

  take(): readonly RecordedEntry[] {
    return this.entries.splice(0);
  }

  /** Restores entries whose write failed. */
  putBack(entries: readonly RecordedEntry[]): void {
    this.entries.unshift(...entries);
  }

  /** Consecutive events of one call's agents become one entry. */
  private addAsked({ callId, event }: AskedAgentEvent, seq: number): void {
    const last = this.entries.at(-1);
    if (last?.type === 'agent.told' && last.callId === callId && isNextOf(last, seq)) {
      this.entries[this.entries.length - 1] = { ...last, told: withAskedEvent(last.told, event) };
      return;
    }
    const entry = { type: 'agent.told', runId: this.runId, callId, told: [event] } as const;
    this.entries.push({ v: ENTRY_VERSION, seq, ...entry });
  }
}

function isNextOf(entry: RecordedEntry, seq: number): boolean {
  return (entry.seq ?? 0) + numbersOf(entry) === seq;
}
