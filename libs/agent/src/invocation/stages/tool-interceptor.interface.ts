import type { ToolCall, ToolContext } from '../../tool';

/**
 * An application's stage around every executed call: it may observe, change the result, answer in
 * the tool's place, or throw a `ToolError` to refuse. Cache, retries and timeout are inside, so
 * each call passes once. Its own time before `next()`, and again after it, is limited to 30 seconds,
 * or to the tool's `timeoutMs` if that is longer.
 *
 * @example
 * \@Injectable()
 * export class OfficeHours implements ToolInterceptor {
 *   async intercept(call: ToolCall, ctx: ToolContext, next: () => Promise<unknown>) {
 *     const isNight = new Date().getHours() < 6;
 *     if (isNight && call.tool?.traits.destructive) throw new ToolError('Not at night.');
 *     return await next();
 *   }
 * }
 */
export interface ToolInterceptor {
  /**
   * Wraps one executed call.
   *
   * @param call the call; its `input` has the frozen arguments
   * @param ctx the caller, and a signal that aborts the call
   * @param next runs the tool and returns its result or throws its error; only read-only and
   * idempotent tools may run again
   * @returns the call's result, or a promise of it
   */
  intercept(call: ToolCall, ctx: ToolContext, next: () => Promise<unknown>): unknown;
}
