import type { JsonObject, ToolKind } from '../message';
import type { Permission, PermissionLevel } from './permission';
import type { CallContext, ToolContext } from './tool-context';
import type { ToolDefinition } from './tool-definition';
import type { RetryOptions, ToolExample, ToolOffer } from './tool-options';
import type { ToolTraits } from './tool-traits';

/** The class that declares a tool. */
export interface ToolkitSummary {
  /** The class's name. */
  readonly name: string;
  /** The description from `@Toolkit`. */
  readonly description: string;
  /** Text for the system prompt while a tool of the class is offered. */
  readonly instructions?: string;
}

/** The input of one tool execution. */
export interface ToolInvocation {
  /** The arguments that `bind` returned. */
  readonly args: unknown;
  /** The context of the call, for the tool. */
  readonly context: ToolContext;
  /** The context that the creator of the call supplied: its context instances and run. */
  readonly callContext: CallContext;
  /** Counts from 1. */
  readonly attempt: number;
  /** The same at every attempt; sent to a write route as its `Idempotency-Key`. */
  readonly idempotencyKey: string;
  /**
   * Marks the call as having taken effect. If it times out or is cancelled afterwards, it ends with
   * this result: a model that reads of a failed write would repeat it.
   */
  readonly commit?: (result: unknown) => void;
}

/** How calls of a tool get their results if `invoke` does not return them. */
export interface ToolAnswer {
  /**
   * - `frontend`: the run's client receives the call and delivers the result. The run waits for it,
   *   or ends its request with `requires_action`
   * - `external`: another party delivers it. `invoke` sends the request, and its return value is
   *   dropped; the run then ends its request with `requires_action`, until the application passes
   *   the result to `AgentService.settle`. Stateless runs are not offered such a tool
   */
  readonly from: 'frontend' | 'external';
  /** Milliseconds until the answer expires; the approval timeout if missing. */
  readonly timeoutMs?: number;
}

/** The HTTP request of a call, for display. */
export interface ToolRequest {
  /** The method. */
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  /** The JSON body, if there is one. */
  readonly body?: string;
}

/**
 * A registered tool of any kind. These members define a kind: traits, `answer`, `bind` and
 * `invoke`. No code branches on the kind itself.
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
  /** The definition for the model. */
  readonly definition: ToolDefinition;
  /** How it is executed. */
  readonly kind: ToolKind;
  /** The place of its declaration, for messages: `OrdersController.find`. */
  readonly source: string;
  /** The tool's effects. */
  readonly traits: ToolTraits;
  /**
   * Whether a call may run a second time; by default if the tool is read-only or idempotent. Set it
   * to `false` where the traits are a third party's claims.
   */
  readonly isRepeatable?: boolean;
  /** The group that activates and deactivates it. */
  readonly group?: string;
  /** Its toolkit. */
  readonly toolkit?: ToolkitSummary;
  /** The permission from its declaration. */
  readonly permission?: Permission;
  /** The permission if no other is set; `ask` for a destructive tool, else `allow`. */
  readonly defaultPermission?: PermissionLevel;
  /** Whether it is offered to a caller. */
  readonly visible?: (ctx: ToolContext) => boolean;
  /** Whether its guards run before it is offered; the module's default if missing. */
  readonly offer?: ToolOffer;
  /** Timeout of one attempt in milliseconds; the module's default if missing. */
  readonly timeoutMs?: number;
  /** How failed calls are retried; the module's defaults for missing values. */
  readonly retry?: RetryOptions;
  /** Milliseconds that results are cached; not cached if missing. */
  readonly cacheTtlMs?: number;
  /** Maximum characters of a result for the model; the module's default if missing. */
  readonly maxResultChars?: number;
  /**
   * `output_schema` is only descriptive, because it was derived from documentation or a return
   * type. A differing result is accepted; the log reports it once.
   */
  readonly isOutputDerived?: boolean;
  /** An example call. */
  readonly example?: ToolExample;
  /** Its registered name, if providers do not accept that name. */
  readonly foreignName?: string;
  /**
   * The owner of the tool if it is not the application: the `client` sent it with its request, or
   * it is the `library`'s own. The module's `visible` does not apply to it.
   */
  readonly origin?: 'client' | 'library';
  /** Whether another server runs it, so that this application may not offer it as its own. */
  readonly isForeign?: boolean;
  /** The agent that its calls ask; missing for all other tools. */
  readonly asks?: string;
  /** How its calls get their results; `invoke` returns them if missing. */
  readonly answer?: ToolAnswer;
  /**
   * The arguments as executed, which approvals, events and records show: without `null`
   * placeholders, with defaults. It validates nothing and never throws. If missing, arguments are
   * executed unchanged.
   */
  normalize?(input: JsonObject): JsonObject;
  /**
   * Validates the model's arguments and converts them to the input of `invoke`.
   *
   * @throws InvalidArgumentsError listing every problem with its JSON pointer
   */
  bind(input: JsonObject): Promise<unknown>;
  /**
   * Runs the tool: returns a value, a Promise, an Observable or an async iterable; errors of the
   * tool propagate.
   */
  invoke(invocation: ToolInvocation): unknown;
  /** Checks the caller's permission again without running the tool (for cached results). */
  authorize?(invocation: ToolInvocation): Promise<void>;
  /**
   * Runs the tool's guards for this caller, without arguments, pipes, interceptors or filters, and
   * without running the tool. Missing if the tool has no guards.
   *
   * @throws the guard's error if it refuses the caller
   */
  askGuards?(context: ToolContext): Promise<void>;
  /**
   * The request that a call with these arguments makes, for display: without headers, presets masked.
   * It checks no argument against the schema. Missing if calls are not requests.
   *
   * @throws InvalidArgumentsError for a value that is invalid in a path or header
   */
  requestFor?(input: JsonObject): ToolRequest | undefined;
  /**
   * A short text of everything results depend on besides the principal and the arguments; it
   * reveals nothing of the request (for cached results).
   */
  cacheScope?(request: unknown): string;
}
