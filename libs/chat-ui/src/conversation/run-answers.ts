import { openApprovals, type Problem } from '../state/chat-state';
import type { CurrentTurn } from '../state/current-turn';
import type { ChatStore } from '../state/store';
import type { ActionBody, AgentApi } from '../wire/agent-api';
import { ApiError } from '../wire/api-error';
import type { AgentEvent, JsonObject, ToolDefinition } from '../wire/protocol';
import { problemOf } from './problem-of';

export interface RunAnswersOptions {
  readonly api: AgentApi;
  readonly store: ChatStore;
  readonly turn: CurrentTurn;
  /** Aborted when the conversation is left. */
  readonly line: () => AbortSignal;
  readonly frontendTools: () => { readonly frontendTools?: readonly ToolDefinition[] };
  /** Follows the run that goes on. */
  readonly follow: (stream: AsyncIterable<AgentEvent>) => Promise<void>;
  readonly reopen: (sessionId: string, runId: string) => Promise<void>;
}

export interface ApprovalAnswer {
  readonly approve: boolean;
  /** The arguments, where the user changed them. */
  readonly input?: JsonObject;
  readonly remember?: boolean;
}

const OVER: readonly string[] = ['already_resolved', 'expired'];

/** Brings the answers that a run waits for to the server, one after the other. */
export class RunAnswers {
  constructor(private readonly options: RunAnswersOptions) {}

  /** Answers an approval, once; while others are on their way, this one waits for its turn. */
  async give(callId: string, { approve, input, remember }: ApprovalAnswer): Promise<void> {
    const { turn } = this.options;
    const { runId } = turn.value ?? {};
    const open = openApprovals(turn.value).find((part) => part.callId === callId);
    if (runId === undefined || open === undefined || open.approval?.isSending) return;
    const action: ActionBody = approve
      ? { callId, type: 'approve', ...(input && { input }), ...(remember && { remember }) }
      : { callId, type: 'reject' };
    const answer = approve ? 'approved' : 'rejected';
    turn.editApproval(callId, { isSending: true, problem: undefined });
    const onAccepted = (): void => turn.editApproval(callId, { answer });
    const problem = await this.send(runId, action, onAccepted);
    turn.editApproval(callId, { isSending: false, problem: problem?.message });
  }

  /** Sends one answer and follows the run on; answers what was wrong with the answer. */
  async send(
    runId: string,
    action: ActionBody,
    onAccepted?: () => void,
  ): Promise<Problem | undefined> {
    const { api, store, turn, frontendTools } = this.options;
    const signal = this.options.line();
    const { sessionId } = store.state;
    await this.untilIdle();
    if (signal.aborted) return undefined;
    let stream: AsyncIterable<AgentEvent>;
    store.update({ connection: 'streaming' });
    try {
      const body = { actions: [action], ...frontendTools() };
      stream = await api.act(runId, body, sessionId, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const isOver = error instanceof ApiError && OVER.includes(error.code);
      if (isOver && sessionId !== undefined) {
        // Another tab answered, or an earlier try of this one, or the time was over: the server knows
        // what, and what came of it.
        await this.options.reopen(sessionId, runId);
        return undefined;
      }
      store.update({ connection: 'idle' });
      return problemOf(error);
    }
    onAccepted?.();
    if (openApprovals(turn.value).length === 0) {
      turn.edit((current) => ({ ...current, status: 'running' }));
    }
    await this.options.follow(stream);
    return undefined;
  }

  /** Who waited first goes first, and the others wait on. */
  private async untilIdle(): Promise<void> {
    const { store } = this.options;
    while (store.state.connection !== 'idle') {
      await new Promise<void>((resolve) => {
        const unwatch = store.watch(() => {
          unwatch();
          resolve();
        });
      });
    }
  }
}
