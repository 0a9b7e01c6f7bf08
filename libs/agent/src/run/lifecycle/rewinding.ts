import { Inject, Injectable } from '@nestjs/common';
import type { SessionEntry, SessionRecord, SessionState, SessionStore } from '../../session';
import { newRunId, RUN_STORE, RunNotFoundError, RunNotReplaceableError } from '../request';
import { LoopServices } from '../loop';
import { settleLastRun } from './recovery';
import { RunLauncher } from './run-launcher';
import type { SessionClaim } from './session-access';
import { SessionWriter } from './session-writer';

/** Takes runs back: what was said from one on is no part of the conversation any more. */
@Injectable()
export class Rewinding {
  constructor(
    @Inject(RUN_STORE) private readonly store: SessionStore,
    private readonly writer: SessionWriter,
    private readonly services: LoopServices,
    private readonly launcher: RunLauncher,
  ) {}

  /**
   * What is to be written so that a session goes on from before a run.
   *
   * @param state the session's; a last run that is still to be settled makes no difference
   * @throws RunNotFoundError for a run of no session, or of another one
   * @throws RunNotReplaceableError where its question stands in the conversation no more, or a
   * summary tells what came of it
   */
  async entryFor(
    { id }: Pick<SessionRecord, 'id'>,
    state: SessionState,
    beforeRun: string,
  ): Promise<SessionEntry> {
    const found = await this.store.findByRun(beforeRun);
    if (found?.id !== id) throw new RunNotFoundError();
    const position = found.runStart;
    // The question comes right after the run's beginning; a summary may have swallowed it, or what
    // followed on it.
    const question = position + 1;
    const { positions, wholeFrom = 0 } = state;
    if (question < wholeFrom || !positions.includes(question)) throw new RunNotReplaceableError();
    return { type: 'rewound', beforeRun, position };
  }

  /** @throws SessionBusyError while a run is under way */
  async rewind(record: SessionRecord, beforeRun: string, claim: SessionClaim): Promise<void> {
    const journal = await this.writer.take(record);
    const run = this.launcher.prepare({
      runId: newRunId(),
      sessionId: record.id,
      options: claim.principal === undefined ? {} : { principal: claim.principal },
      journal,
    });
    try {
      const entry = await this.entryFor(record, journal.state, beforeRun);
      await settleLastRun(run, this.services, journal.draft);
      await journal.close([entry], run.release);
    } finally {
      await run.release();
    }
  }
}
