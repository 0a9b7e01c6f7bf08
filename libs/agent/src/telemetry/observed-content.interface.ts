import type { ContentBlock, JsonObject, Message, ResultContent } from '../message';
import type { ToolDefinition } from '../tool';

/** The text of a model's request; see `AgentTelemetry.seesContent`. */
export interface ObservedRequestContent {
  /** The system prompt; missing if there is none. */
  readonly system?: string;
  /** The conversation. Arguments of calls are masked and redacted as in audit records. */
  readonly messages: readonly Message[];
  /** The tools on offer. */
  readonly tools: readonly ToolDefinition[];
}

/** A model's answer; see `AgentTelemetry.seesContent`. */
export interface ObservedAnswerContent {
  /** The answer so far. Arguments are masked and redacted as in audit records. */
  readonly blocks: readonly ContentBlock[];
}

/** A call's arguments; see `AgentTelemetry.seesContent`. */
export interface ObservedCallContent {
  /** Masked and redacted as in audit records. */
  readonly arguments: JsonObject;
}

/** A call's result; see `AgentTelemetry.seesContent`. */
export interface ObservedResultContent {
  /** The content for the model; missing while the result is awaited. */
  readonly result?: ResultContent;
}
