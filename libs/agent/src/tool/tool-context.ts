import type { JsonValue } from '../message';
import type { Tool } from './tool';
import type { ToolCall } from './tool-call';

/**
 * What a tool learns of the call it serves. Declare a parameter of this type to receive it.
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
  /** The session that the call belongs to, where there is one. */
  abstract readonly sessionId?: string;
  /** The run that made the call, where one did. */
  abstract readonly runId?: string;
  /** Who is logged in; `undefined` for nobody. */
  abstract readonly principal?: string;
  /** The chat request, where there is one. */
  abstract readonly request?: unknown;
  /**
   * Aborted on cancel, disconnect or time-out. A parameter of type `AbortSignal` receives it too.
   */
  abstract readonly signal: AbortSignal;
  /**
   * Streams progress, as `tool.progress` of this run only. Once the call is over, or has told
   * 1 048 576 characters of JSON, nobody hears it.
   *
   * @param data what clients are told, as JSON
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
   * Tells the run's clients something, as `tool.progress`.
   *
   * @param data what they are told, as JSON
   */
  abstract emit(data: JsonValue): void;
}

/**
 * The run a tool is part of. Declare a parameter of this type to receive it; for a call that no run
 * made it receives `undefined`.
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
  /** Its session's id; empty of a run that is not kept. */
  abstract readonly sessionId: string;
  /** Cancels the whole run. */
  abstract cancel(): void;
}

/** What the maker of a call knows of it; everything is optional. */
export type CallContext = Partial<Omit<ToolContext, 'call' | 'emit'>> & {
  /** Where progress goes that the tool streams; nobody hears it by default. */
  readonly emit?: (data: JsonValue) => void;
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
