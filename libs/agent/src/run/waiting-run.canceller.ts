import { Injectable } from '@nestjs/common';
import type { SessionRecord } from '../session';
import { CANCELLED } from './call-endings';
import { announceAnswered, approvalOf, endCalls } from './call-results';
import { stopRun } from './run-context';
import { lastAnswer, RunEnding } from './run-ending';
import { RunLauncher } from './run-launcher';
import { phaseOf } from './run-phase';
import { SessionWriter } from './session-writer';

/** Ends runs that wait for their caller: what they wait for can be answered no more. */
@Injectable()
export class WaitingRunCanceller {
  constructor(
    private readonly writer: SessionWriter,
    private readonly launcher: RunLauncher,
  ) {}

  /**
   * Does nothing where the run waits no more.
   *
   * @throws SessionBusyError while another request answers it
   */
  async cancel(record: SessionRecord, runId: string): Promise<void> {
    const journal = await this.writer.take(record);
    const { state } = journal;
    const run = this.launcher.prepare({
      runId,
      sessionId: record.id,
      options: record.owner === undefined ? {} : { principal: record.owner },
      frontend: 'park',
      journal,
      seq: state.run?.seq ?? 0,
      tools: () => [],
      leave: () => undefined,
    });
    try {
      if (state.run?.runId !== runId || phaseOf(state) !== 'waiting') return;
      const ended = state.openCalls.map(({ call }) => ({
        call,
        settlement: CANCELLED,
        approval: approvalOf(state, call.id),
      }));
      await endCalls(run, this.launcher.services.calls, ended);
      announceAnswered(run);
      stopRun(run, 'cancelled');
      const progress = { text: lastAnswer(state), usage: state.run.usage };
      await this.launcher.follow(run, new RunEnding(run).breakOff(undefined, progress)).finished;
    } finally {
      await run.release();
    }
  }
}
