import { TOOL_RETURN, type ToolReturnOptions } from '../schema';
import { marking } from './metadata';

/**
 * Describes a tool's result. Results are validated against its type; the description is never sent
 * to a model provider.
 *
 * @param options the result's description and type; `output` of `@Tool` overrides `type`
 * @throws ToolDeclarationError on anything but a method of an instance
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
  return marking(TOOL_RETURN, 'ToolReturn', options);
}
