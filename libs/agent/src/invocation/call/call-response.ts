import type { ResultContent } from '../../message';
import type { ToolCall, ToolFailure, ToolResponse, ToolResponseStatus } from '../../tool';
import { CallNotPendingError } from './failures';

/** Returned by `invoke` if a call's result comes later, though its tool usually returns it at once. */
export const AWAITED = Symbol('nestjs-agent:awaited');

/** The end of a call. */
export interface Settlement {
  readonly status: Exclude<
    ToolResponseStatus,
    'pending' | 'awaiting_approval' | 'awaiting_result' | 'executing'
  >;
  readonly content: ResultContent;
  readonly result?: unknown;
  readonly error?: ToolFailure;
}

/** The callbacks of a response. */
export interface CallHooks {
  /**
   * Executes the call and never rejects; missing until the call is checked. Resolves to nothing if
   * the call waits for an external answer.
   */
  runner(): (() => Promise<Settlement | undefined>) | undefined;
  /** The call waits for an answer. */
  parked(): void;
  /** The call has ended. */
  settled(call: ToolCall): void;
}

/** A call's response: `pending` or waiting at first, then settled exactly once. */
export class CallResponse implements ToolResponse {
  status: ToolResponseStatus = 'pending';
  result?: unknown;
  error?: ToolFailure;
  content?: ResultContent;
  durationMs = 0;
  attempts = 0;
  readonly logs: string[] = [];
  // Private, so that a response can be printed as JSON.
  readonly #call: ToolCall;
  readonly #hooks: CallHooks;

  constructor(call: ToolCall, hooks: CallHooks) {
    this.#call = call;
    this.#hooks = hooks;
  }

  get call(): ToolCall {
    return this.#call;
  }

  async execute(): Promise<ToolResponse> {
    const run = this.#hooks.runner();
    if (this.status !== 'pending') throw new CallNotPendingError(this.#call.name, this.status);
    if (run === undefined) throw new CallNotPendingError(this.#call.name, 'still being checked');
    this.status = 'executing';
    const startedAt = performance.now();
    const settlement = await run();
    this.durationMs = Math.round(performance.now() - startedAt);
    return settlement ? this.settle(settlement) : this.park('awaiting_result');
  }

  /** Waits for an answer. */
  park(status: 'awaiting_approval' | 'awaiting_result'): this {
    this.status = status;
    this.#hooks.parked();
    return this;
  }

  /** Allows another check, after an approval. */
  reopen(): void {
    this.status = 'pending';
  }

  settle({ status, content, result, error }: Settlement): this {
    this.status = status;
    this.content = content;
    if (result !== undefined) this.result = result;
    if (error !== undefined) this.error = error;
    this.#hooks.settled(this.#call);
    return this;
  }
}
