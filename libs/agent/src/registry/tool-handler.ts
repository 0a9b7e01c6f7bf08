import type { JsonObject } from '../message';
import type { ToolContext, ToolOptions } from '../tool';

/**
 * The function of a run-time tool, given its checked arguments: answers a value, a Promise, an
 * Observable or an async iterable, or throws.
 *
 * @typeParam Input the type of the checked arguments
 * @example
 * const greet: ToolHandler = ({ name }, ctx) => {
 *   if (typeof name !== 'string') throw new ToolError('Say whom to greet.');
 *   return `Hello ${name}, says ${ctx.principal ?? 'nobody'}.`;
 * };
 */
export type ToolHandler<Input = JsonObject> = (input: Input, ctx: ToolContext) => unknown;

/**
 * Options of a run-time tool beside its definition; the same as with `@Tool`.
 *
 * @example
 * const options: FunctionToolOptions = { group: 'billing', readOnly: true, cacheTtlMs: 60_000 };
 */
export type FunctionToolOptions = Omit<
  ToolOptions,
  'name' | 'title' | 'description' | 'method' | 'input' | 'output' | 'offer'
>;
