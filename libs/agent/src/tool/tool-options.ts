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

export interface ToolExample {
  readonly input: JsonValue;
  readonly output?: JsonValue;
}

/** Options of `@Tool`, and of a route listed in `exposeControllers`. */
export interface ToolOptions {
  readonly name?: string;
  readonly description?: string;
  readonly group?: string;
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly permission?: Permission;
  readonly visible?: (ctx: ToolContext) => boolean;
  /** The HTTP method to use where the route is declared with `@All`. */
  readonly method?: string;
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  readonly cacheTtlMs?: number;
  readonly maxResultChars?: number;
  readonly concurrencySafe?: boolean;
  /** A DTO class, a JSON Schema or a Standard Schema. */
  readonly input?: unknown;
  /** A DTO class, a JSON Schema or a Standard Schema. */
  readonly output?: unknown;
  readonly examples?: readonly ToolExample[];
}

/** Options of `@Toolkit`. */
export interface ToolkitOptions {
  readonly description: string;
  /** Put before every tool's name, as it is. */
  readonly prefix?: string;
  readonly group?: string;
  /** Instances injected by type into this toolkit's methods. */
  readonly context?: readonly object[];
  /** Added to the system prompt while a tool of this toolkit is offered. */
  readonly instructions?: string;
}
