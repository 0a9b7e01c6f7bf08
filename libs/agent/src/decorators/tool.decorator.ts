import { ToolDeclarationError, type ToolOptions } from '../tool';
import { TOOL } from './metadata';

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
  return (target, property, descriptor) => {
    const method: unknown = descriptor?.value;
    if (typeof method !== 'function' || typeof target === 'function')
      throw new ToolDeclarationError(
        `${nameOf(target)}.${String(property)}: @Tool() belongs on a method of an instance, not on ${typeof target === 'function' ? 'a static member' : 'an accessor or property'}.`,
      );
    Reflect.defineMetadata(TOOL, options, method);
  };
}

function nameOf(target: object): string {
  return typeof target === 'function' ? target.name : target.constructor.name;
}
