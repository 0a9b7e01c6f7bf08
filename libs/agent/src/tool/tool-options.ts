import type { JsonValue } from '../message';
import type { Permission } from './permission';
import type { ToolContext } from './tool-context';

/**
 * How often and after which pauses a failed call is retried. Only read-only or idempotent tools are
 * retried, and only after a thrown error, a timeout or a 5xx. Each pause is shortened at random by
 * up to half, so that many callers do not retry at once.
 *
 * @example
 * const retry: RetryOptions = { maxAttempts: 5, initialBackoffMs: 200 };
 */
export interface RetryOptions {
  /** Attempts in total; 3 by default, 1 disables retries. */
  readonly maxAttempts?: number;
  /** Milliseconds before the second attempt; 1 000 by default. */
  readonly initialBackoffMs?: number;
  /** The factor of each further pause; 2 by default. */
  readonly backoffMultiplier?: number;
  /** The longest pause in milliseconds; 30 000 by default. */
  readonly maxBackoffMs?: number;
}

/** An example call, for the tool's detail. */
export interface ToolExample {
  /** Arguments that the tool accepts. */
  readonly input: JsonValue;
  /** The result for these arguments. */
  readonly output?: JsonValue;
}

/**
 * When a tool is offered: `always`, or, with `guarded`, only if its guards accept the caller when
 * they run without arguments.
 */
export type ToolOffer = 'always' | 'guarded';

/**
 * Options of `@Tool`, and of a route listed in `exposeControllers`.
 *
 * @example
 * const options: ToolOptions = {
 *   name: 'cancel_order',
 *   description: 'Cancel an order that was not shipped yet',
 *   destructive: true,
 *   permission: ({ input }) => (input['id'] === 1 ? 'deny' : 'ask'),
 *   visible: (ctx) => ctx.principal !== undefined,
 *   timeoutMs: 10_000,
 *   examples: [{ input: { id: 17 }, output: 'cancelled' }],
 * };
 */
export interface ToolOptions {
  /**
   * 1 to 64 letters, digits or underscores, unique among all tools. By default the method's name;
   * for a route `<controller>_<method>` in snake case: `orders_find_all`.
   */
  readonly name?: string;
  /**
   * The tool's purpose; the model selects tools by it. By default the description of
   * `@ApiOperation`; a tool with neither stops the boot.
   */
  readonly description?: string;
  /** The display name for people; none by default. Not sent to models. */
  readonly title?: string;
  /**
   * The name of the group that activates and deactivates the tool; the toolkit's by default. A tool
   * without a group is always offered.
   */
  readonly group?: string;
  /**
   * Changes nothing, so it may be repeated; `true` by default for GET and HEAD routes, else
   * `false`.
   */
  readonly readOnly?: boolean;
  /**
   * Removes or overwrites data, so it asks by default; `true` by default for DELETE routes, else
   * `false`.
   */
  readonly destructive?: boolean;
  /**
   * Repeating the call has no further effect, so it may be repeated; `true` by default for PUT and
   * DELETE routes, else `false`.
   */
  readonly idempotent?: boolean;
  /**
   * Reaches beyond the application and its data, such as the web or another company's service;
   * `false` by default. Reported to clients.
   */
  readonly openWorld?: boolean;
  /**
   * Whether a call is allowed, asks first or is denied. Of all permissions for a tool, the module's
   * `permissions` included, the strictest wins; without any, `defaultPermission` applies.
   */
  readonly permission?: Permission;
  /**
   * Whether the tool is offered to this caller; to every caller by default. For other callers the
   * tool does not exist. A function that throws hides it. `ctx.call` has no arguments yet.
   */
  readonly visible?: (ctx: ToolContext) => boolean;
  /**
   * `guarded` runs the tool's guards (global, of its class and of its method) before the tool is
   * offered, and before its caller is asked to approve a call; a guard that refuses or throws hides
   * the tool. They run once per run, with the chat request but without its params, query and body,
   * so use it with guards that only check the user. By default the setting of the module's `tools`:
   * `always`.
   */
  readonly offer?: ToolOffer;
  /**
   * The HTTP method for a route declared with `@All`; by default POST if the tool has a body, else
   * GET. On any other route it stops the boot.
   */
  readonly method?: string;
  /**
   * Timeout of one attempt in milliseconds; by default the timeout of the module's `tools`, 30 000.
   */
  readonly timeoutMs?: number;
  /**
   * How failed calls are retried; by default as in the module's `tools`. Tools that are neither
   * read-only nor idempotent are never retried.
   */
  readonly retry?: RetryOptions;
  /**
   * Milliseconds that a read-only tool's result is cached for the same principal and arguments; not
   * cached by default, and never without a principal. On a hit a provider tool's guards run too; a
   * route's do not, so its result is cached for the same credentials, forwarded headers and
   * address. It is stored as JSON, so interceptors and callers receive plain values. A process
   * caches at most 1 000 results of 64 MiB in total; the least recently used is evicted first.
   */
  readonly cacheTtlMs?: number;
  /**
   * Maximum characters of a result for the model; by default the limit of the module's `tools`, 20
   * 000. The rest is cut off with a notice. Pictures and files have their own limit, 4 MiB for all
   * of a result; further ones are replaced by their names.
   */
  readonly maxResultChars?: number;
  /** May run concurrently with other calls of its step; the same as `readOnly` by default. */
  readonly concurrencySafe?: boolean;
  /**
   * The model's input: a DTO class, a JSON Schema or a Standard Schema. A provider's method
   * receives it whole, as its first parameter that is not filled otherwise; a route receives each
   * field at its declared place. By default derived from the method's own parameters.
   */
  readonly input?: unknown;
  /**
   * The schema that results are validated against: a DTO class, a JSON Schema or a Standard Schema.
   * By default taken from `@ToolReturn`, `@ApiResponse` or the method's return type, in this order;
   * without any, results are not validated.
   */
  readonly output?: unknown;
  /** The first one is shown in the tool's detail; generated from the schema by default. */
  readonly examples?: readonly ToolExample[];
}

/**
 * Options of `@Toolkit`.
 *
 * @example
 * const options: ToolkitOptions = {
 *   description: 'Invoices and payments',
 *   prefix: 'billing_',
 *   instructions: 'Amounts are in cents. Name the invoice in every answer.',
 * };
 */
export interface ToolkitOptions {
  /** The common purpose of the class's tools, used to search for them. Required. */
  readonly description: string;
  /** Prepended unchanged to every tool's name; none by default. */
  readonly prefix?: string;
  /** The group of every tool that names none itself; none by default. */
  readonly group?: string;
  /**
   * Instances injected by type into this toolkit's methods, after the call's own and the module's;
   * none by default.
   */
  readonly context?: readonly object[];
  /** Added to the system prompt while a tool of this toolkit is offered; empty by default. */
  readonly instructions?: string;
}
