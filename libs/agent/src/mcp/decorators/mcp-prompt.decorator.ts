import { marking } from '../../decorators';
import { MCP_PROMPT } from './metadata';

/**
 * Options of `@McpPrompt`.
 *
 * @example
 * import type { McpPromptOptions } from 'nestjs-agent/mcp';
 *
 * const options: McpPromptOptions = {
 *   name: 'review-order',
 *   title: 'Review an order',
 *   description: 'Ask for a review of one order',
 * };
 */
export interface McpPromptOptions {
  /**
   * 1 to 55 letters, digits, `_`, `-` or `.`, unique among prompts; by default the method's name in
   * snake case. `permissions`, `presets` and audit records name the prompt `prompt_<name>`.
   */
  readonly name?: string;
  /** The display name for people; none by default. */
  readonly title?: string;
  /** The prompt's purpose, for the user who picks it; none by default. */
  readonly description?: string;
}

/**
 * Serves a provider's method as a prompt of the MCP server, which users pick in their host. The
 * method's parameters are the prompt's arguments, declared with `@ToolParam`; clients send text, which
 * is converted to their types. It returns an `McpPromptResult`: a text or messages.
 *
 * @param options all of them have a default
 * @throws ToolDeclarationError on anything but a method of an instance
 * @example
 * import { McpPrompt } from 'nestjs-agent/mcp';
 *
 * \@Injectable()
 * export class OrderPrompts {
 *   \@McpPrompt({ title: 'Review an order' })
 *   review_order(\@ToolParam('id', { description: 'The order' }) id: number): string {
 *     return `Review order ${id}: is it complete, and is its price right?`;
 *   }
 * }
 */
export function McpPrompt(options: McpPromptOptions = {}): MethodDecorator {
  return marking(MCP_PROMPT, 'McpPrompt', options);
}
