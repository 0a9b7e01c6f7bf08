import type { JsonValue } from '../message';
import type { Permission } from './permission';
import type { ToolContext } from './tool-context';

/** How often and after which pauses a failed call of a repeatable tool is tried again. */
export interface RetryOptions {
  /** Attempts in all; 3 by default. */
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

/** Options of `@Tool`, and of a route listed in `exposeControllers`. */
export interface ToolOptions {
  /**
   * 1 to 64 letters, digits or underscores. By default the method's name, of a route
   * `<controller>_<method>` in snake case.
   */
  readonly name?: string;
  /** What the model chooses by; that of `@ApiOperation` by default. A tool without one stops the boot. */
  readonly description?: string;
  /** The group it is switched on and off with; the toolkit's by default. */
  readonly group?: string;
  /** Changes nothing, so it may be repeated; `true` by default of GET and HEAD. */
  readonly readOnly?: boolean;
  /** Removes or overwrites, so it asks by default; `true` by default of DELETE. */
  readonly destructive?: boolean;
  /** Twice is as good as once, so it may be repeated; `true` by default of PUT and DELETE. */
  readonly idempotent?: boolean;
  /** Whether a call is allowed, asks first or is denied; of all that speak of a tool the strictest wins. */
  readonly permission?: Permission;
  /** Whether this caller is offered the tool at all; one that throws withholds it. */
  readonly visible?: (ctx: ToolContext) => boolean;
  /** The HTTP method to use where the route is declared with `@All`. */
  readonly method?: string;
  /** Milliseconds that one attempt may take; 30 000 by default. */
  readonly timeoutMs?: number;
  /** Of a tool that is read-only or idempotent; others are never repeated. */
  readonly retry?: RetryOptions;
  /**
   * Milliseconds that a read-only tool's result is kept for the same caller and arguments; not kept
   * by default, and never for nobody.
   */
  readonly cacheTtlMs?: number;
  /** Characters of a result that the model gets to read; 20 000 by default. */
  readonly maxResultChars?: number;
  /** May run beside other calls of its step; `readOnly` by default. */
  readonly concurrencySafe?: boolean;
  /**
   * What the model sends, all of it for the method's first parameter: a DTO class, a JSON Schema or
   * a Standard Schema.
   */
  readonly input?: unknown;
  /** What results are checked against: a DTO class, a JSON Schema or a Standard Schema. */
  readonly output?: unknown;
  /** The first one is shown with the tool's detail. */
  readonly examples?: readonly ToolExample[];
}

/** Options of `@Toolkit`. */
export interface ToolkitOptions {
  /** What the tools of the class have in common. */
  readonly description: string;
  /** Put before every tool's name, as it is. */
  readonly prefix?: string;
  /** The group of every tool that names none itself. */
  readonly group?: string;
  /** Instances injected by type into this toolkit's methods. */
  readonly context?: readonly object[];
  /** Added to the system prompt while a tool of this toolkit is offered. */
  readonly instructions?: string;
}
