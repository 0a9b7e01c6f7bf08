import type { JsonValue } from '../message';
import type { Tool } from './tool';
import type { ToolCall } from './tool-call';

/** What a tool learns of the call it serves. Declare a parameter of this type to receive it. */
export abstract class ToolContext {
  abstract readonly call: ToolCall;
  abstract readonly sessionId?: string;
  abstract readonly runId?: string;
  /** Who is logged in; `undefined` for nobody. */
  abstract readonly principal?: string;
  /** The chat request, where there is one. */
  abstract readonly request?: unknown;
  /** Aborted on cancel, disconnect or time-out. */
  abstract readonly signal: AbortSignal;
  /** Streams progress, as `tool.progress` of this run only. */
  abstract emit(data: JsonValue): void;
}

/** Streams a tool's progress. Declare a parameter of this type to receive it. */
export abstract class ToolEmitter {
  abstract emit(data: JsonValue): void;
}

/** The run a tool is part of. Declare a parameter of this type to receive it. */
export abstract class AgentRun {
  abstract readonly agentName: string;
  abstract readonly runId: string;
  abstract readonly sessionId: string;
  /** Cancels the whole run. */
  abstract cancel(): void;
}

/** What the maker of a call knows of it; everything is optional. */
export type CallContext = Partial<Omit<ToolContext, 'call'>> & {
  /** Instances injected by type, before the agent's and the toolkit's. */
  readonly context?: readonly object[];
  /** The run that makes the call, where one does. */
  readonly run?: AgentRun;
  /** Tools of this run only, looked up before the registry's. */
  readonly tools?: readonly Tool[];
  /** The groups that are active in the session; without it, those active by default. */
  readonly activeGroups?: readonly string[];
  /** Sets the session's active groups; what `reset_equipped_tools` calls. */
  readonly activateGroups?: (groups: readonly string[]) => void | Promise<void>;
  /** The tools that the session's owner allowed for its rest. */
  readonly rememberedTools?: readonly string[];
};
