import type { ToolOptions } from '../tool';
import { marking, TOOL } from './metadata';

/**
 * Declares a provider's method or a controller's route as a tool: the agent may call it on behalf
 * of its caller.
 *
 * @param options without a `description`, the one of `@ApiOperation` is used
 * @throws ToolDeclarationError on anything but a method of an instance
 * @example
 * \@Controller('orders')
 * export class OrdersController {
 *   \@Tool({ description: 'Look an order up by its id' })
 *   \@Get(':id')
 *   find(\@Param('id', ParseIntPipe) id: number) {
 *     return { id, status: 'shipped' };
 *   }
 * }
 */
export function Tool(options: ToolOptions = {}): MethodDecorator {
  return marking(TOOL, 'Tool', options);
}
