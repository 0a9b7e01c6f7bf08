import type { ToolCall, ToolContext } from '../../tool';

/**
 * An application's own stage around every executed call: it may look, change the result, answer in
 * the tool's place, or throw a `ToolError` to refuse. Cache, retries and the time-out lie further
 * in, so one call passes once.
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
   * Stands around one executed call.
   *
   * @param call its `input` holds the arguments, frozen
   * @param ctx who calls, and a signal that ends the wait
   * @param next goes on to the tool and answers its result, or throws what it threw; only a
   *   read-only or idempotent tool runs again where it is called again
   * @returns the call's result, or a promise of it
   */
  intercept(call: ToolCall, ctx: ToolContext, next: () => Promise<unknown>): unknown;
}
