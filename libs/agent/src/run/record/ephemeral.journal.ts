import { EMPTY_SESSION, type SessionState } from '../../session';
import type { Message } from '../../message';
import { spendingsOf, type UsageRecorder } from '../spending';
import { written, type HeldJournal, type NewEntry } from './run-journal';
import { RunEmitter } from './run-emitter';

/** An in-memory journal, for stateless runs. */
export class EphemeralJournal implements HeldJournal {
  readonly emitter: RunEmitter;
  state: SessionState;

  /** @param messages the conversation before the run */
  constructor(
    runId: string,
    messages: readonly Message[],
    private readonly payer: { readonly agent: string; readonly owner: string | undefined },
    private readonly usage: UsageRecorder,
  ) {
    this.emitter = new RunEmitter({ runId, sessionId: '' });
    const positions = messages.map((_message, index) => index + 1);
    this.state = { ...EMPTY_SESSION, version: messages.length, messages, positions };
  }

  append(...entries: readonly NewEntry[]): Promise<void> {
    return this.write(entries, false);
  }

  appendSilently(...entries: readonly NewEntry[]): Promise<void> {
    return this.write(entries, true);
  }

  checkpoint(entry: NewEntry): Promise<void> {
    return this.append(entry);
  }

  async close(entries: readonly NewEntry[], freed: () => Promise<void>): Promise<void> {
    await freed();
    await this.append(...entries);
  }

  private async write(entries: readonly NewEntry[], isSilent: boolean): Promise<void> {
    const all = [...this.emitter.progress.take(), ...entries];
    const { state, events } = written(
      this.state,
      all.map((entry) => ({ entry, isSilent })),
      this.emitter,
    );
    const { agent, owner } = this.payer;
    this.usage.record(owner, spendingsOf(agent, this.state, all));
    this.state = state;
    this.emitter.endWriting(events);
    await Promise.resolve();
  }
}
