import { type AnyMethod, setToolReturn, type ToolReturnOptions } from '../schema';
import { ToolDeclarationError } from '../tool';

/**
 * Describes what a tool answers. Results are validated against its type; it is never sent to a
 * model's provider.
 *
 * @throws ToolDeclarationError on anything but a method
 * @example
 * ```ts
 * @ToolReturn({ description: 'The sum', type: Number, example: 3 })
 * @Tool({ description: 'Add two numbers' })
 * add(…): number { … }
 * ```
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
