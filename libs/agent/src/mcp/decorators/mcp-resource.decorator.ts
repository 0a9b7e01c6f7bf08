import { marking } from '../../decorators';
import { MCP_RESOURCE } from './metadata';

/**
 * Options of `@McpResource`.
 *
 * @example
 * import type { McpResourceOptions } from 'nestjs-agent/mcp';
 *
 * const options: McpResourceOptions = {
 *   uri: 'orders://{id}',
 *   title: 'An order',
 *   description: 'One order with its lines',
 *   mimeType: 'application/json',
 * };
 */
export interface McpResourceOptions {
  /**
   * The resource's URI, or a template for many: `orders://{id}`. Each variable is a parameter of the
   * method, or a path or query parameter of the route. Its value is never empty and has neither
   * slashes nor control characters. Required, and unique.
   */
  readonly uri: string;
  /**
   * 1 to 55 letters, digits, `_`, `-` or `.`, unique among resources; by default the method's name
   * in snake case, for a route after the controller's: `orders_find`. `permissions`, `presets` and audit records name the resource `resource_<name>`.
   */
  readonly name?: string;
  /** The display name for people; none by default. */
  readonly title?: string;
  /** The resource's content and use; by default the description of `@ApiOperation`, if there is one. */
  readonly description?: string;
  /** The media type of text that the method returns; `application/json` by default for values. */
  readonly mimeType?: string;
}

/**
 * Serves a provider's method or a controller's GET route as a resource of the MCP server: hosts read
 * it on behalf of their user, with the same guards, pipes and limits as a tool.
 *
 * A text is served as it is. `Uint8Array`, `StreamableFile` and the files of content blocks are
 * binary content; everything else is JSON. A resource has at most 1 MiB of text and 4 MiB of files.
 *
 * @param options `uri` is required
 * @throws ToolDeclarationError on anything but a method of an instance
 * @example
 * import { McpResource } from 'nestjs-agent/mcp';
 *
 * \@Controller('orders')
 * export class OrdersController {
 *   \@McpResource({ uri: 'orders://{id}', title: 'An order' })
 *   \@Get(':id')
 *   find(\@Param('id', ParseIntPipe) id: number) {
 *     return { id, status: 'shipped' };
 *   }
 * }
 */
export function McpResource(options: McpResourceOptions): MethodDecorator {
  return marking(MCP_RESOURCE, 'McpResource', options);
}
