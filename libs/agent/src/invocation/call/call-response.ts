import type { ResultContent } from '../../message';
import type { ToolCall, ToolFailure, ToolResponse, ToolResponseStatus } from '../../tool';
import { CallNotPendingError } from './call-errors';

/** How a call ended. */
export interface Settlement {
  readonly status: Exclude<
    ToolResponseStatus,
    'pending' | 'awaiting_approval' | 'awaiting_result' | 'executing'
  >;
  readonly content: ResultContent;
  readonly result?: unknown;
  readonly error?: ToolFailure;
}

/** What a response needs of the world. */
export interface CallHooks {
  /**
   * What carries the call out and never rejects; missing until the call has been checked. It answers
   * nothing where somebody else was asked.
   */
  runner(): (() => Promise<Settlement | undefined>) | undefined;
  /** The call waits for an answer from outside. */
  parked(): void;
  /** The call has got its one answer. */
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
  // Private to the class and so no property: a response can be printed as JSON.
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
    this.durationMs = performance.now() - startedAt;
    return settlement ? this.settle(settlement) : this.park('awaiting_result');
  }

  /** An answer has to come first. */
  park(status: 'awaiting_approval' | 'awaiting_result'): this {
    this.status = status;
    this.#hooks.parked();
    return this;
  }

  /** It was approved: it is checked once more. */
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
