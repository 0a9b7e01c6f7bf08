import { openApprovals, type Problem } from '../state';
import { ApiError, type ActionBody, type EventStream, type JsonObject } from '../wire';
import { problemOf } from './problem-of';
import type { RunLine } from './run.line';

export interface ApprovalAnswer {
  readonly approve: boolean;
  /** The arguments, where the user changed them. */
  readonly input?: JsonObject;
  readonly remember?: boolean;
}

const OVER: readonly string[] = ['already_resolved', 'expired', 'run_not_found'];

/** Brings the answers that a run waits for to the server, one after the other. */
export class RunAnswers {
  constructor(private readonly line: RunLine) {}

  /** Answers an approval, once; while others are on their way, this one waits for its turn. */
  async give(callId: string, { approve, ...how }: ApprovalAnswer): Promise<void> {
    const { turn } = this.line;
    const { runId } = turn.value ?? {};
    const open = openApprovals(turn.value).find((part) => part.callId === callId);
    if (runId === undefined || open === undefined || open.approval?.isSending) return;
    const action: ActionBody = approve
      ? { callId, type: 'approve', ...how }
      : { callId, type: 'reject' };
    const answer = approve ? 'approved' : 'rejected';
    turn.editApproval(callId, { isSending: true, problem: undefined });
    const onAccepted = (): void => turn.editApproval(callId, { answer });
    const problem = await this.send(runId, action, onAccepted);
    turn.editApproval(callId, { isSending: false, problem: problem?.message });
  }

  /** Sends one answer and follows the run on. Returns the problem if the server refuses it. */
  async send(
    runId: string,
    action: ActionBody,
    onAccepted?: () => void,
  ): Promise<Problem | undefined> {
    const { line } = this;
    const { signal, store, turn } = line;
    const run = line.addressOf(runId);
    await this.untilIdle();
    if (signal.aborted) return undefined;
    let stream: EventStream;
    store.update({ connection: 'streaming' });
    try {
      stream = await line.api.act(run, { actions: [action], ...line.frontendTools() }, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const isOver = error instanceof ApiError && OVER.includes(error.code);
      if (isOver && run.sessionId !== undefined) {
        // Another tab answered, or an earlier try of this one, or it expired, or the session was
        // deleted: the server knows.
        await line.reopen(run.sessionId, runId);
        return undefined;
      }
      store.update({ connection: 'idle' });
      return problemOf(error, this.line.state.texts);
    }
    onAccepted?.();
    if (openApprovals(turn.value).length === 0) {
      turn.edit((current) => ({ ...current, status: 'running' }));
    }
    await line.follow(() => Promise.resolve(stream));
    return undefined;
  }

  /** The first that waited goes first, and the others wait on. */
  private async untilIdle(): Promise<void> {
    while (this.line.isRunning) {
      await new Promise<void>((resolve) => {
        const unwatch = this.line.store.watch(() => {
          unwatch();
          resolve();
        });
      });
    }
  }
}
