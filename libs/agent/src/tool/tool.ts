import type { JsonObject, ToolKind } from '../message';
import type { Permission } from './permission';
import type { CallContext, ToolContext } from './tool-context';
import type { ToolDefinition } from './tool-definition';
import type { RetryOptions, ToolExample } from './tool-options';
import type { ToolTraits } from './tool-traits';

/** The class a tool was declared in. */
export interface ToolkitSummary {
  readonly name: string;
  readonly description: string;
  readonly instructions?: string;
}

/** What one call hands to a tool. */
export interface ToolInvocation {
  /** What `bind` made of the model's arguments. */
  readonly args: unknown;
  readonly context: ToolContext;
  /** What the maker of the call handed in: its context instances and run. */
  readonly callContext: CallContext;
  /** Counts from 1. */
  readonly attempt: number;
  /** The same at every attempt; what a write route gets as its `Idempotency-Key`. */
  readonly idempotencyKey: string;
}

/**
 * A registered tool of any kind. The kinds differ only in what they make of `bind` and `invoke`;
 * nothing else asks which kind a tool is.
 */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly kind: ToolKind;
  /** Where it was declared, for messages: `OrdersController.find`. */
  readonly source: string;
  readonly traits: ToolTraits;
  readonly group?: string;
  readonly toolkit?: ToolkitSummary;
  readonly permission?: Permission;
  readonly visible?: (ctx: ToolContext) => boolean;
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  readonly cacheTtlMs?: number;
  readonly maxResultChars?: number;
  readonly example?: ToolExample;
  /** The name it was registered under, where that was none a provider accepts. */
  readonly foreignName?: string;
  /**
   * The caller carries the tool out, in the browser or in a client of its own, and delivers the
   * result. A run waits for it, or ends its request with `requires_action`.
   */
  readonly isAnsweredByCaller?: boolean;
  /**
   * Checks the model's arguments and makes of them what `invoke` wants.
   *
   * @throws InvalidArgumentsError listing every problem with its JSON pointer
   */
  bind(input: JsonObject): Promise<unknown>;
  /** Runs the tool: a value, a Promise, an Observable or an async iterable; throws what it throws. */
  invoke(invocation: ToolInvocation): unknown;
  /** Asks once more whether this caller may, without running the tool (for cached results). */
  authorize?(invocation: ToolInvocation): Promise<void>;
}
