import type { JsonValue } from '../message';
import type { Tool } from './tool';
import type { ToolCall } from './tool-call';

/**
 * The context of a call, for its tool. Declare a parameter of this type to receive it.
 *
 * @example
 * \@Injectable()
 * export class ProfileTools {
 *   \@Tool({ description: 'Say who is logged in', readOnly: true })
 *   whoAmI(ctx: ToolContext): string {
 *     return ctx.principal ?? 'nobody';
 *   }
 * }
 */
export abstract class ToolContext {
  /** The call itself, with its arguments. */
  abstract readonly call: ToolCall;
  /** The session of the call, if there is one. */
  abstract readonly sessionId?: string;
  /** The run that made the call, if there is one. */
  abstract readonly runId?: string;
  /** The logged-in user; `undefined` for anonymous callers. */
  abstract readonly principal?: string;
  /** The chat request, if there is one. */
  abstract readonly request?: unknown;
  /**
   * Aborted on cancel, disconnect or timeout. A parameter of type `AbortSignal` receives it too.
   */
  abstract readonly signal: AbortSignal;
  /**
   * Streams progress, as `tool.progress` of this run only. Progress is dropped once the call is
   * over or has emitted 1 048 576 characters of JSON.
   *
   * @param data the progress for clients, as JSON
   */
  abstract emit(data: JsonValue): void;
}

/**
 * Streams a tool's progress. Declare a parameter of this type to receive it.
 *
 * @example
 * \@Injectable()
 * export class ReportTools {
 *   \@Tool({ description: 'Write the yearly report' })
 *   async write(progress: ToolEmitter): Promise<string> {
 *     for (const month of ['January', 'February']) progress.emit({ month });
 *     return 'The report is written.';
 *   }
 * }
 */
export abstract class ToolEmitter {
  /**
   * Sends progress to the run's clients, as `tool.progress`.
   *
   * @param data the progress for clients, as JSON
   */
  abstract emit(data: JsonValue): void;
}

/**
 * The run of a tool's call. Declare a parameter of this type to receive it; it is `undefined` for a
 * call outside a run.
 *
 * @example
 * \@Injectable()
 * export class EmergencyTools {
 *   \@Tool({ description: 'Stop everything at once' })
 *   stop(run?: AgentRun): void {
 *     run?.cancel();
 *   }
 * }
 */
export abstract class AgentRun {
  /** The module's `name` option. */
  abstract readonly agentName: string;
  /** The run's id. */
  abstract readonly runId: string;
  /** Its session's id; empty for stateless runs. */
  abstract readonly sessionId: string;
  /** Cancels the whole run. */
  abstract cancel(): void;
}

/** A tool that the session's owner has allowed for the rest of the session. */
export interface RememberedTool {
  /** Its name. */
  readonly name: string;
  /**
   * Its digest at that time: once the tool has changed, its calls ask again. Not compared if
   * missing.
   */
  readonly digest?: string;
}

/** The context that the creator of a call supplies; everything is optional. */
export type CallContext = Partial<Omit<ToolContext, 'call' | 'emit'>> & {
  /** The protocol that the call arrived by, such as `mcp`, for the audit record. */
  readonly via?: string;
  /** The client's name for itself, for the audit record. Decide nothing by it. */
  readonly client?: string;
  /** Receives the tool's streamed progress; by default progress is dropped. */
  readonly emit?: (data: JsonValue) => void;
  /** Instances injected by type, before the agent's and the toolkit's. */
  readonly context?: readonly object[];
  /** The run that makes the call, if there is one. */
  readonly run?: AgentRun;
  /** Tools of this run only, looked up before the registry's. */
  readonly tools?: readonly Tool[];
  /** The groups that are active in the session; without it, those active by default. */
  readonly activeGroups?: readonly string[];
  /** Sets the session's active groups; called by `reset_equipped_tools`. */
  readonly activateGroups?: (groups: readonly string[]) => void | Promise<void>;
  /** The tools that the session's owner has allowed for the rest of the session. */
  readonly rememberedTools?: readonly RememberedTool[];
};
