import { ToolDeclarationError, type ToolkitOptions } from '../tool';
import { TOOLKIT } from './metadata';

/**
 * Describes a class whose methods are tools, and sets what they share.
 *
 * @throws ToolDeclarationError without a description
 * @example
 * ```ts
 * @Toolkit({ description: 'Arithmetic', prefix: 'math_' })
 * @Injectable()
 * export class MathTools { … }
 * ```
 */
export function Toolkit(options: ToolkitOptions): ClassDecorator {
  return (target) => {
    if (typeof options?.description !== 'string' || options.description.trim() === '')
      throw new ToolDeclarationError(`${target.name}: @Toolkit() wants a description.`);
    Reflect.defineMetadata(TOOLKIT, options, target);
  };
}
