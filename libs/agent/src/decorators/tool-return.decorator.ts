import { type AnyMethod, setToolReturn, type ToolReturnOptions } from '../schema';
import { ToolDeclarationError } from '../tool';

/**
 * Describes what a tool answers. Results are validated against its type; it is never sent to a
 * model's provider.
 *
 * @param options what the answer is; `output` of `@Tool` wins over its `type`
 * @throws ToolDeclarationError on anything but a method
 * @example
 * \@Injectable()
 * export class MathTools {
 *   \@ToolReturn({ description: 'The sum', type: Number, example: 3 })
 *   \@Tool({ description: 'Add two numbers', readOnly: true })
 *   add(\@ToolParam('a') a: number, \@ToolParam('b') b: number): number {
 *     return a + b;
 *   }
 * }
 */
export function ToolReturn(options: ToolReturnOptions): MethodDecorator {
  return (target, property, descriptor) => {
    const method: unknown = descriptor?.value;
    if (typeof method !== 'function')
      throw new ToolDeclarationError(
        `${target.constructor.name}.${String(property)}: @ToolReturn() belongs on a method.`,
      );
    setToolReturn(method as AnyMethod, options);
  };
}
