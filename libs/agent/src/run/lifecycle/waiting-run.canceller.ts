import type { ToolCallFactory } from '../../invocation';
import { lastAnswer, type SessionRecord } from '../../session';
import {
  type AskedBy,
  approvalOf,
  CANCELLED,
  endCalls,
  isAskedOutside,
  RunEnding,
  stopRun,
  UNANSWERED,
} from '../loop';
import type { RunLauncher } from './run-launcher';
import { phaseOf } from '../record';
import type { SessionWriter } from './session-writer';

/** Cancels waiting runs: their pending actions can no longer be answered. */
export class WaitingRunCanceller {
  constructor(
    private readonly writer: SessionWriter,
    private readonly calls: ToolCallFactory,
    private readonly launcher: RunLauncher,
  ) {}

  /**
   * No effect if the run no longer waits.
   *
   * @param askedBy the call that asked the run's agent, if one did
   * @throws SessionBusyError while another request resumes it
   */
  async cancel(record: SessionRecord, runId: string, askedBy?: AskedBy): Promise<void> {
    const journal = await this.writer.take(record, runId);
    const { state } = journal;
    const run = this.launcher.prepare({
      runId,
      sessionId: record.id,
      options: record.owner === undefined ? {} : { principal: record.owner },
      journal,
      ...(askedBy && { askedBy }),
    });
    try {
      if (state.run?.runId !== runId || phaseOf(state) !== 'waiting') return;
      const ended = state.openCalls.map(({ call }) => ({
        call,
        settlement: isAskedOutside(state, call.id) ? UNANSWERED : CANCELLED,
        approval: approvalOf(state, call.id),
      }));
      await endCalls(run, this.calls, ended);
      stopRun(run, 'cancelled');
      run.telemetry.measure(() => ({ type: 'wait.ended' }));
      const progress = { text: lastAnswer(state), usage: state.run.usage };
      await this.launcher.follow(run, new RunEnding(run).breakOff(undefined, progress)).finished;
    } finally {
      await run.release();
    }
  }
}
