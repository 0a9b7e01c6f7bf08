import { Inject, Injectable } from '@nestjs/common';
import { ToolCatalog, untilAborted } from '../invocation';
import type { AgentEvent, RunStatus } from '../message';
import type { ChatModel } from '../model';
import {
  runStateOf,
  SESSION_STORE,
  type RunState,
  type SessionEntry,
  type SessionRecord,
  type SessionStore,
} from '../session';
import { ActiveRuns } from './active-runs';
import { endInstead } from './run-ending';
import { AGENT_MODEL } from './run.constants';
import { storedEvents } from './stored-events';

/** How often the journal is looked at for the end of another process's run. */
const LOOK_MS = 1_000;
/** Long enough to ask whether a session is free; nobody holds it meanwhile. */
const PROBE_MS = 1_000;

/** Reads runs that this process does not hold: ended ones, waiting ones, other processes'. */
@Injectable()
export class StoredRunReader {
  constructor(
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    @Inject(AGENT_MODEL) private readonly model: ChatModel,
    private readonly catalog: ToolCatalog,
    private readonly active: ActiveRuns,
  ) {}

  /** A run that its journal leaves open is running as long as somebody holds its session. */
  async statusOf(record: SessionRecord, run: RunState): Promise<RunStatus> {
    if (run.status !== 'running' || this.active.isRunning(run.runId)) return run.status;
    const lease = await this.store.acquire(record.id, PROBE_MS);
    if (lease === undefined) return 'running';
    await this.store.release(lease);
    return 'failed';
  }

  /** The events after a number. What another process is telling comes once that waits or has ended. */
  async *events(
    record: SessionRecord,
    runId: string,
    after: number,
  ): AsyncGenerator<AgentEvent, void, undefined> {
    for (let heard = after; ;) {
      const { entries, isUnderWay } = await this.look(record, runId);
      for (const event of storedEvents(this.named(record, runId, entries), heard)) {
        yield event;
        heard = event.seq;
      }
      if (!isUnderWay || (await this.isClosingWithin(LOOK_MS))) return;
    }
  }

  /** The events after a number, up to another, of a part of the run that was told to its end. */
  async told(
    record: SessionRecord,
    runId: string,
    after: number,
    upTo: number,
  ): Promise<readonly AgentEvent[]> {
    const entries = await this.read(record);
    const events = storedEvents(this.named(record, runId, entries), after);
    return events.filter(({ seq }) => seq <= upTo);
  }

  private async look(record: SessionRecord, runId: string) {
    const before = await this.read(record);
    const run = runStateOf(before, runId);
    if (run?.status !== 'running') return { entries: before, isUnderWay: false };
    if ((await this.statusOf(record, run)) === 'running') {
      return { entries: before, isUnderWay: true };
    }
    // It may have ended between the two looks.
    const entries = await this.read(record);
    const last = runStateOf(entries, runId);
    const isCutOff = last?.status === 'running';
    return {
      entries: isCutOff ? [...entries, endInstead(last, 'failed')] : entries,
      isUnderWay: false,
    };
  }

  private async read({ id }: SessionRecord): Promise<readonly SessionEntry[]> {
    return (await this.store.read(id)).map(({ entry }) => entry);
  }

  private named({ id }: SessionRecord, runId: string, entries: readonly SessionEntry[]) {
    return {
      runId,
      sessionId: id,
      entries,
      defaultModel: this.model.name,
      kindOf: (name: string) => this.catalog.find(name, {})?.kind ?? 'function',
    };
  }

  private async isClosingWithin(ms: number): Promise<boolean> {
    const { closing } = this.active;
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms).unref();
    });
    await untilAborted(pause, closing).catch(() => undefined);
    clearTimeout(timer);
    return closing.aborted;
  }
}
