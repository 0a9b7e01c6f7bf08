import type { Tool, ToolContext } from '../../tool';

/**
 * The module's option on offered tools.
 *
 * @example
 * const options: OfferOptions = {
 *   visible: ({ traits }, { principal }) => traits.readOnly || principal !== undefined,
 * };
 */
export interface OfferOptions {
  /**
   * Whether a caller is offered a tool, in addition to the tool's own `visible`; every tool by
   * default. Other callers cannot find the tool. An error withholds it. Not called for built-in and
   * frontend tools; `ctx.call` has no arguments yet.
   */
  readonly visible?: (tool: Tool, ctx: ToolContext) => boolean;
}
