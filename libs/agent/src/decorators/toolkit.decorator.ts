import { ToolDeclarationError, type ToolkitOptions } from '../tool';
import { TOOLKIT } from './metadata';

/**
 * Describes a class whose methods are tools, and sets their shared options.
 *
 * @param options `description` is required
 * @throws ToolDeclarationError without a description
 * @example
 * \@Toolkit({ description: 'Arithmetic', prefix: 'math_' })
 * \@Injectable()
 * export class MathTools {
 *   \@Tool({ description: 'Add two numbers', readOnly: true })
 *   add(\@ToolParam('a') a: number, \@ToolParam('b') b: number): number {
 *     return a + b;
 *   }
 * }
 */
export function Toolkit(options: ToolkitOptions): ClassDecorator {
  return (target) => {
    if (typeof options?.description !== 'string' || options.description.trim() === '')
      throw new ToolDeclarationError(`${target.name}: @Toolkit() wants a description.`);
    Reflect.defineMetadata(TOOLKIT, options, target);
  };
}
