import type { JsonValue } from '../message';
import type { Permission } from './permission';
import type { ToolContext } from './tool-context';

/**
 * How often and after which pauses a failed call is tried again. Only tools that are read-only or
 * idempotent are, and only after a thrown error, a time-out or a 5xx. Each pause is shortened at
 * random by up to half, so that many callers do not come back at once.
 *
 * @example
 * const retry: RetryOptions = { maxAttempts: 5, initialBackoffMs: 200 };
 */
export interface RetryOptions {
  /** Attempts in all; 3 by default, 1 never tries again. */
  readonly maxAttempts?: number;
  /** Milliseconds before the second attempt; 1 000 by default. */
  readonly initialBackoffMs?: number;
  /** What each further pause is multiplied by; 2 by default. */
  readonly backoffMultiplier?: number;
  /** The longest pause in milliseconds; 30 000 by default. */
  readonly maxBackoffMs?: number;
}

/** A call as it may be, for the tool's detail. */
export interface ToolExample {
  /** Arguments that the tool accepts. */
  readonly input: JsonValue;
  /** What it answers to them. */
  readonly output?: JsonValue;
}

/**
 * When a tool is offered: `always`, or, `guarded`, only to callers whom its guards let pass when they
 * are asked without arguments.
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
   * 1 to 64 letters, digits or underscores, which no other tool has. By default the method's name,
   * of a route `<controller>_<method>` in snake case: `orders_find_all`.
   */
  readonly name?: string;
  /**
   * What the tool does, which is what the model chooses by. By default that of `@ApiOperation`; a
   * tool that has neither stops the boot.
   */
  readonly description?: string;
  /** What people read instead of the name; none by default. Models are not told of it. */
  readonly title?: string;
  /**
   * The name of the group it is switched on and off with; the toolkit's by default, else none, and
   * it is always offered.
   */
  readonly group?: string;
  /**
   * Changes nothing, so it may be repeated; `true` by default of GET and HEAD routes, else `false`.
   */
  readonly readOnly?: boolean;
  /**
   * Removes or overwrites, so it asks by default; `true` by default of DELETE routes, else `false`.
   */
  readonly destructive?: boolean;
  /**
   * Twice is as good as once, so it may be repeated; `true` by default of PUT and DELETE routes,
   * else `false`.
   */
  readonly idempotent?: boolean;
  /**
   * Reaches beyond the application and its data, such as the web or another company's service;
   * `false` by default. Clients are told of it.
   */
  readonly openWorld?: boolean;
  /**
   * Whether a call is allowed, asks first or is denied. Of all that speak of a tool, the module's
   * `permissions` included, the strictest wins; where nothing does, `defaultPermission` holds.
   */
  readonly permission?: Permission;
  /**
   * Whether this caller is offered the tool at all; everybody by default. To the others there is no
   * such tool. One that throws withholds it. `ctx.call` has no arguments yet.
   */
  readonly visible?: (ctx: ToolContext) => boolean;
  /**
   * `guarded` asks the tool's guards (global, of its class and of its method) before the tool is
   * offered, and before its caller is asked to approve a call; one that refuses or throws withholds
   * it. They are asked once per run, with the chat request but without its params, query and body:
   * it is for guards that look at the user alone. That of the module's `tools` by default, `always`.
   */
  readonly offer?: ToolOffer;
  /**
   * The HTTP method to use where the route is declared with `@All`; by default POST where the tool
   * has a body, else GET. On any other route it stops the boot.
   */
  readonly method?: string;
  /** Milliseconds that one attempt may take; that of the module's `tools` by default, 30 000. */
  readonly timeoutMs?: number;
  /**
   * How failed calls are tried again; those of the module's `tools` by default. Tools that are
   * neither read-only nor idempotent are never repeated.
   */
  readonly retry?: RetryOptions;
  /**
   * Milliseconds that a read-only tool's result is kept for the same principal and arguments; not
   * kept by default, and never without a principal. On a hit a provider tool's guards run too; a
   * route's do not, so its result is kept for the same credentials, forwarded headers and address.
   * It is kept as JSON, so interceptors and callers get plain values. A process keeps 1 000 results
   * of 64 MiB together; the longest unused goes first.
   */
  readonly cacheTtlMs?: number;
  /**
   * Characters of a result that the model gets to read; those of the module's `tools` by default,
   * 20 000. The rest is cut off with a notice. Pictures and files have a bound of their own, 4 MiB
   * for all of a result; those beyond it are named instead.
   */
  readonly maxResultChars?: number;
  /** May run beside other calls of its step; the same as `readOnly` by default. */
  readonly concurrencySafe?: boolean;
  /**
   * What the model sends: a DTO class, a JSON Schema or a Standard Schema. A provider's method gets
   * it whole, as its first parameter that nothing else fills; a route gets each field at the place
   * that the route declares for it. By default the method's own parameters tell.
   */
  readonly input?: unknown;
  /**
   * What results are checked against: a DTO class, a JSON Schema or a Standard Schema. By default
   * what `@ToolReturn`, `@ApiResponse` or the method's return type says, in this order; where none
   * does, results are not checked.
   */
  readonly output?: unknown;
  /** The first one is shown with the tool's detail; made up from the schema by default. */
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
  /** What the tools of the class have in common; it helps to find them. Required. */
  readonly description: string;
  /** Put before every tool's name, as it is; none by default. */
  readonly prefix?: string;
  /** The name of the group of every tool that names none itself; none by default. */
  readonly group?: string;
  /**
   * Instances injected by type into this toolkit's methods, after the call's own and the module's;
   * none by default.
   */
  readonly context?: readonly object[];
  /** Added to the system prompt while a tool of this toolkit is offered; nothing by default. */
  readonly instructions?: string;
}
