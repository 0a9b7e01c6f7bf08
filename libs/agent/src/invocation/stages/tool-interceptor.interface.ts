import type { ToolCall, ToolContext } from '../../tool';

/**
 * An application's own stage around every executed call: it may look, change the result, answer in
 * the tool's place, or throw a `ToolError` to refuse. Cache, retries and the time-out lie further
 * in, so one call passes once.
 *
 * @example
 * class Redaction implements ToolInterceptor {
 *   async intercept(call: ToolCall, ctx: ToolContext, next: () => Promise<unknown>) {
 *     return withoutEmailAddresses(await next());
 *   }
 * }
 */
export interface ToolInterceptor {
  /** @param next goes on to the tool and answers its result, or throws what it threw */
  intercept(call: ToolCall, ctx: ToolContext, next: () => Promise<unknown>): unknown;
}
