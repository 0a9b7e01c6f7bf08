import { defined } from '../../internal';
import type { SessionEntry, SessionRecord, SessionState, SessionStore } from '../../session';
import { newRunId, RunNotFoundError, RunNotReplaceableError } from '../request';
import type { LoopServices } from '../loop';
import { settleLastRun } from './recovery';
import type { RunLauncher, SessionClaim, SessionWriter } from '../execution';

/** Rewinds sessions: removes a run and all later ones from the conversation. */
export class Rewinding {
  constructor(
    private readonly store: SessionStore,
    private readonly writer: SessionWriter,
    private readonly services: LoopServices,
    private readonly launcher: RunLauncher,
  ) {}

  /**
   * The entry that rewinds a session to before a run.
   *
   * @param state the session's state; its last run may be unsettled
   * @throws RunNotFoundError for a run of another session
   * @throws RunNotReplaceableError if the run was rewound or compaction has summarized it
   */
  async entryFor(
    { id }: Pick<SessionRecord, 'id'>,
    state: SessionState,
    beforeRun: string,
  ): Promise<SessionEntry> {
    const found = await this.store.findByRun(beforeRun);
    if (found?.id !== id) throw new RunNotFoundError();
    const position = found.runStart;
    // The user's message follows the run's first entry; a summary may have replaced it, or a later
    // entry.
    const question = position + 1;
    const { positions, wholeFrom = 0 } = state;
    if (question < wholeFrom || !positions.includes(question)) throw new RunNotReplaceableError();
    return { type: 'rewound', position };
  }

  /** @throws SessionBusyError while a run is active */
  async rewind(record: SessionRecord, beforeRun: string, claim: SessionClaim): Promise<void> {
    const journal = await this.writer.take(record, newRunId());
    const options = defined({ principal: claim.principal });
    await this.launcher.prepared({ options, journal }, async (run) => {
      const entry = await this.entryFor(record, journal.state, beforeRun);
      await settleLastRun(run, this.services, journal.draft);
      await journal.close([entry], run.release);
      await run.asking.forget(run);
    });
  }
}
