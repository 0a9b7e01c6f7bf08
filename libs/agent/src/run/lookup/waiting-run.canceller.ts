import { defined } from '../../internal';
import type { SessionRecord } from '../../session';
import { type AskedBy, stopRun } from '../context';
import type { LoopServices } from '../loop';
import { discardedOf, endOpenCalls } from './open-calls';
import type { RunLauncher, SessionWriter } from '../execution';
import type { RunJobs } from '../queue';
import { isForWorker, phaseOf } from '../record';

/** Cancels runs that no process executes: those waiting for their caller or for a worker. */
export class WaitingRunCanceller {
  constructor(
    private readonly writer: SessionWriter,
    private readonly services: LoopServices,
    private readonly launcher: RunLauncher,
    private readonly jobs: RunJobs,
  ) {}

  /**
   * No effect if the run has continued or ended.
   *
   * @param askedBy the call that asked the run's agent, if one did
   * @throws SessionBusyError while another request resumes it
   */
  async cancel(record: SessionRecord, runId: string, askedBy?: AskedBy): Promise<void> {
    const journal = await this.writer.take(record, runId);
    const { state } = journal;
    const options = defined({ principal: record.owner });
    const setup = { options, journal, ...defined({ askedBy }) };
    await this.launcher.prepared(setup, async (run) => {
      const isWaiting = phaseOf(state) === 'waiting';
      if (state.run?.runId !== runId || !(isWaiting || isForWorker(state))) return run.release();
      await endOpenCalls(run, this.services, discardedOf(run, journal.draft));
      stopRun(run, 'cancelled');
      if (isWaiting) run.telemetry.measure(() => ({ type: 'wait.ended' }));
      const attempt = state.run.queued?.attempt;
      await this.launcher.breakOff(run);
      if (attempt !== undefined && !isWaiting) await this.jobs.remove({ runId, attempt });
    });
  }
}
