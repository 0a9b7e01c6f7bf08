import type { JsonObject } from '../message';
import type { ToolContext, ToolOptions } from '../tool';

/**
 * What a run-time tool does with its checked arguments: answers a value, a Promise, an Observable
 * or an async iterable, or throws.
 */
export type ToolHandler<Input = JsonObject> = (input: Input, ctx: ToolContext) => unknown;

/** What may be said of a run-time tool beside its definition; the same as with `@Tool`. */
export type FunctionToolOptions = Omit<
  ToolOptions,
  'name' | 'description' | 'method' | 'input' | 'output'
>;
