import type { Tool, ToolContext } from '../../tool';

/**
 * The module's option on what is offered.
 *
 * @example
 * const options: OfferOptions = {
 *   visible: ({ traits }, { principal }) => traits.readOnly || principal !== undefined,
 * };
 */
export interface OfferOptions {
  /**
   * Whether a caller is offered a tool, besides what the tool itself says; every tool by default. To
   * the others there is no such tool. One that throws withholds it. It is asked of the application's
   * tools, not of built-in ones and those of the browser; `ctx.call` has no arguments yet.
   */
  readonly visible?: (tool: Tool, ctx: ToolContext) => boolean;
}
