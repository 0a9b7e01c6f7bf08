import type { JsonObject, ToolKind } from '../message';
import type { Permission, PermissionLevel } from './permission';
import type { CallContext, ToolContext } from './tool-context';
import type { ToolDefinition } from './tool-definition';
import type { RetryOptions, ToolExample, ToolOffer } from './tool-options';
import type { ToolTraits } from './tool-traits';

/** The class a tool was declared in. */
export interface ToolkitSummary {
  /** The class's name. */
  readonly name: string;
  /** That of `@Toolkit`. */
  readonly description: string;
  /** What goes into the system prompt while a tool of it is offered. */
  readonly instructions?: string;
}

/** What one call hands to a tool. */
export interface ToolInvocation {
  /** What `bind` made of the model's arguments. */
  readonly args: unknown;
  /** What the tool may learn of the call. */
  readonly context: ToolContext;
  /** What the maker of the call handed in: its context instances and run. */
  readonly callContext: CallContext;
  /** Counts from 1. */
  readonly attempt: number;
  /** The same at every attempt; what a write route gets as its `Idempotency-Key`. */
  readonly idempotencyKey: string;
  /**
   * Says that the call has had its effect. Should it run out of time or be cancelled from here on, it
   * ends with this result: told that a write failed, a model makes it again.
   */
  readonly commit?: (result: unknown) => void;
}

/** How the calls of a tool get their results where `invoke` does not answer them. */
export interface ToolAnswer {
  /**
   * - `frontend`: the client of the run is told of the call and delivers the result. The run waits for
   *   it, or ends its request with `requires_action`
   * - `external`: somebody else does. `invoke` puts the question to them, and what it returns is
   *   dropped; the run then ends its request with `requires_action`, until the application hands the
   *   answer to `AgentService.settle`. Runs that nobody keeps are not offered such a tool
   */
  readonly from: 'frontend' | 'external';
  /** Milliseconds that the answer may take; as long as an approval where it is missing. */
  readonly timeoutMs?: number;
}

/**
 * A registered tool of any kind. A kind is what its tools say here: their traits, how their calls are
 * answered, what they make of `bind` and `invoke`. Nothing asks which kind a tool is.
 *
 * @example
 * function reviewed(queue: { put(callId: string, question: unknown): Promise<void> }): RegisteredTool {
 *   const tool = defineTool({
 *     name: 'review_refund',
 *     description: 'Have a person decide on a refund',
 *     execute: (refund, { call }) => queue.put(call.id, refund),
 *   });
 *   return { ...tool, kind: 'review', answer: { from: 'external', timeoutMs: 86_400_000 } };
 * }
 */
export interface Tool {
  /** What the model is told of it. */
  readonly definition: ToolDefinition;
  /** How it is carried out. */
  readonly kind: ToolKind;
  /** Where it was declared, for messages: `OrdersController.find`. */
  readonly source: string;
  /** What it does to the world. */
  readonly traits: ToolTraits;
  /** The group it is switched on and off with. */
  readonly group?: string;
  /** The toolkit it belongs to. */
  readonly toolkit?: ToolkitSummary;
  /** What its declaration says of permission. */
  readonly permission?: Permission;
  /** What holds where nothing speaks of permission; `ask` of a destructive tool, else `allow`. */
  readonly defaultPermission?: PermissionLevel;
  /** Whether a caller is offered it. */
  readonly visible?: (ctx: ToolContext) => boolean;
  /** Whether its guards are asked before it is offered; the module's default where it is missing. */
  readonly offer?: ToolOffer;
  /** Milliseconds that one attempt may take; the module's default where it is missing. */
  readonly timeoutMs?: number;
  /** How failed calls are tried again; the module's defaults where values are missing. */
  readonly retry?: RetryOptions;
  /** Milliseconds that results are kept; not kept where it is missing. */
  readonly cacheTtlMs?: number;
  /**
   * Characters of a result that the model gets to read; the module's default where it is missing.
   */
  readonly maxResultChars?: number;
  /**
   * `output_schema` only describes, because it was derived from documentation or a return type. A
   * result that differs is as good as any; the log says so once.
   */
  readonly isOutputDerived?: boolean;
  /** A call as it may be. */
  readonly example?: ToolExample;
  /** The name it was registered under, where that was none a provider accepts. */
  readonly foreignName?: string;
  /**
   * Whose tool it is, where it is not the application's: the `client` brought it with its request, or
   * it is the `library`'s own. The module's `visible` does not hold for it.
   */
  readonly origin?: 'client' | 'library';
  /** How its calls get their results; `invoke` answers them where it is missing. */
  readonly answer?: ToolAnswer;
  /**
   * The arguments as they will be carried out, which is what approvals, events and records show:
   * without what counts as left out, with defaults. It checks nothing and never throws. They are
   * carried out as they are where it is missing.
   */
  normalize?(input: JsonObject): JsonObject;
  /**
   * Checks the model's arguments and makes of them what `invoke` wants.
   *
   * @throws InvalidArgumentsError listing every problem with its JSON pointer
   */
  bind(input: JsonObject): Promise<unknown>;
  /**
   * Runs the tool: a value, a Promise, an Observable or an async iterable; throws what it throws.
   */
  invoke(invocation: ToolInvocation): unknown;
  /** Asks once more whether this caller may, without running the tool (for cached results). */
  authorize?(invocation: ToolInvocation): Promise<void>;
  /**
   * Asks the guards that stand before the tool whether this caller may use it at all: without
   * arguments, pipes, interceptors or filters, and without running it. Missing where none stand there.
   *
   * @throws what refuses the caller
   */
  askGuards?(context: ToolContext): Promise<void>;
  /**
   * What results depend on besides the principal and the arguments, as a short text that gives
   * nothing of the request away (for cached results).
   */
  cacheScope?(request: unknown): string;
}
