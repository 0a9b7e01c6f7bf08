import type { JsonObject } from '../../message';
import type { Tool, ToolCall } from '../../tool';
import { CallResponse, type CallHooks } from './call-response';
import type { CallState } from './call-state';

/** A call with its response. */
export class CheckedCall implements ToolCall {
  readonly response: CallResponse;
  // Private: neither a tool nor a call printed as JSON shows it.
  readonly #state: CallState;

  constructor(
    readonly id: string,
    readonly name: string,
    readonly input: JsonObject,
    readonly tool: Tool | undefined,
    state: CallState,
    hooks: CallHooks,
  ) {
    this.#state = state;
    this.response = new CallResponse(this, hooks);
  }

  /** @internal */
  static stateOf(call: CheckedCall): CallState {
    return call.#state;
  }
}
