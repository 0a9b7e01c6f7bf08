import { Injectable } from '@nestjs/common';
import { textOf } from '../message';
import { settleOpenCalls, type SessionRecord } from '../session';
import { callContextOf, stopRun } from './run-context';
import { RunEnding } from './run-ending';
import { RunLauncher } from './run-launcher';
import { phaseOf } from './run-phase';
import { SessionWriter } from './session-writer';

const CANCELLED = 'The run was cancelled before this call ran. It was not run.';

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
      await journal.append(...settleOpenCalls(state, CANCELLED));
      for (const { call } of state.openCalls) {
        const { id: callId, name } = call;
        const result = { output: CANCELLED, isError: true, durationMs: 0 };
        run.log.push({ type: 'tool.result', callId, name, ...result });
        const error = { code: 'interrupted', message: CANCELLED };
        const settlement = { status: 'interrupted', content: CANCELLED, error } as const;
        this.launcher.services.calls.conclude(call, { ...callContextOf(run), callId }, settlement);
      }
      stopRun(run, 'cancelled');
      const asked = state.messages.findLast(({ role }) => role === 'assistant');
      const progress = { text: asked ? textOf(asked) : '', usage: state.run.usage };
      await this.launcher.follow(run, new RunEnding(run).breakOff(undefined, progress)).finished;
    } finally {
      await run.release();
    }
  }
}
