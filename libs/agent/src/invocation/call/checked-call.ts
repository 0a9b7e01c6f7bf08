import type { JsonObject } from '../../message';
import type { Tool, ToolCall } from '../../tool';
import { CallResponse, type CallHooks } from './call-response';

/** A call with the one response that belongs to it. */
export class CheckedCall implements ToolCall {
  readonly response: CallResponse;

  constructor(
    readonly id: string,
    readonly name: string,
    readonly input: JsonObject,
    readonly tool: Tool | undefined,
    hooks: CallHooks,
  ) {
    this.response = new CallResponse(this, hooks);
  }
}
