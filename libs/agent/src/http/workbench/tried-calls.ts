import { randomUUID } from 'node:crypto';
import { defined, withFallback } from '../../internal';
import type { CallWatches, ToolCallFactory } from '../../invocation';
import { jsonValueOf, type WatchedStage } from '../../invocation';
import type { JsonObject, JsonValue, ResultContent } from '../../message';
import {
  AgentError,
  type ToolCall,
  type ToolFailure,
  type ToolRequest,
  type ToolResponseStatus,
} from '../../tool';
import type { Caller } from '../caller';

/** The state of a call that was made by hand. */
export interface TriedCall {
  readonly callId: string;
  readonly tool: string;
  readonly status: ToolResponseStatus;
  /** The arguments as executed, masked and redacted. */
  readonly input: JsonObject;
  /** The request of a route, made of these arguments, so masked as they are. */
  readonly request?: ToolRequest;
  readonly stages: readonly WatchedStage[];
  /** The tool's own answer. */
  readonly result?: JsonValue;
  /** The content for the model. */
  readonly content?: ResultContent;
  readonly error?: ToolFailure;
  readonly durationMs: number;
  readonly attempts: number;
  readonly logs: readonly string[];
}

/** The answer to a call that waits for an approval. */
export type AnswerToCall =
  | { readonly type: 'approve' }
  | { readonly type: 'decline'; readonly reason?: string };

/** Calls tools by hand, as the caller, by the one path of every call. */
export class TriedCalls {
  constructor(
    private readonly calls: ToolCallFactory,
    private readonly watches: CallWatches,
  ) {}

  async make(
    name: string,
    input: JsonObject,
    caller: Caller & { readonly signal: AbortSignal },
  ): Promise<TriedCall> {
    const callId = `try_${randomUUID()}`;
    const watched = this.watches.begin(callId, caller.principal);
    watched.enter('checks');
    const call = await this.calls.create(name, input, { ...caller, callId, via: 'workbench' });
    const { response } = call;
    watched.leave(!['pending', 'awaiting_approval'].includes(response.status));
    if (response.status === 'pending') await response.execute();
    return this.shown(call);
  }

  /**
   * Answers a call that waits for an approval. Other calls of the same user, which the application
   * has made, cannot be answered here.
   *
   * @throws AgentError `not_pending` if no call of this caller, made here, waits for an approval
   */
  async answer(
    callId: string,
    answer: AnswerToCall,
    caller: Caller & { readonly signal: AbortSignal },
  ): Promise<TriedCall> {
    const watched = this.watches.of(callId);
    if (watched === undefined || watched.principal !== caller.principal) {
      throw new AgentError('not_pending', 'No such call of yours waits for an approval.');
    }
    watched.enter('checks');
    const { call } = await this.calls.settle(callId, answer, caller);
    return this.shown(call);
  }

  private shown(call: ToolCall): TriedCall {
    const { id, name, tool, response } = call;
    const { status, error, content, result, durationMs, attempts, logs } = response;
    const watched = this.watches.of(id);
    const isBad = status === 'failed' || status === 'interrupted';
    watched?.leave(isBad && !watched.stages.some(({ isFailed }) => isFailed));
    if (status !== 'awaiting_approval') this.watches.end(id);
    const input = this.calls.shownInput(tool, call.input);
    return defined({
      ...{ callId: id, tool: name, status, input, durationMs, attempts, logs, error, content },
      request: requestOf(call, input),
      stages: watched?.stages ?? [],
      result: result === undefined ? undefined : jsonValueOf(result),
    });
  }
}

/** Arguments that were refused may make no request. */
function requestOf({ tool }: ToolCall, input: JsonObject): ToolRequest | undefined {
  return withFallback(() => tool?.requestFor?.(input), undefined);
}
