import type { PipeTransform } from '@nestjs/common';
import { ToolDeclarationError } from '../tool';
import {
  TOOL_PARAMS,
  type ToolParamMetadata,
  type ToolParamOptions,
  type ToolPipe,
} from './metadata';

/**
 * Declares a parameter of a tool method as an argument that the model fills.
 *
 * @param name the argument's name; by default the parameter's own name, read from the source
 * @param optionsOrPipe the description for the model, or the first pipe
 * @param pipes applied to the argument in order, as with Nest's own parameter decorators
 * @throws ToolDeclarationError on anything but a parameter of a method
 * @example
 * \@Injectable()
 * export class MathTools {
 *   \@Tool({ description: 'Add two whole numbers', readOnly: true })
 *   add(
 *     \@ToolParam('a', { description: 'The first one', example: 2 }) a: number,
 *     \@ToolParam('b', ParseIntPipe) b: number,
 *   ): number {
 *     return a + b;
 *   }
 * }
 */
export function ToolParam(
  name?: string | ToolParamOptions | ToolPipe,
  optionsOrPipe?: ToolParamOptions | ToolPipe,
  ...pipes: ToolPipe[]
): ParameterDecorator {
  const rest = [...(typeof name === 'string' ? [] : [name]), optionsOrPipe, ...pipes].filter(
    (one) => one !== undefined,
  );
  const options = rest.find((one): one is ToolParamOptions => !isPipe(one)) ?? {};
  const metadata: ToolParamMetadata = {
    ...(typeof name === 'string' && { name }),
    options,
    pipes: rest.filter(isPipe),
  };
  return (target, property, index) => {
    if (property === undefined || typeof target === 'function')
      throw new ToolDeclarationError(
        `${typeof target === 'function' ? target.name : target.constructor.name}: @ToolParam() belongs on a parameter of a tool's method.`,
      );
    const own = Reflect.getOwnMetadata(TOOL_PARAMS, target, property) as
      | ReadonlyMap<number, ToolParamMetadata>
      | undefined;
    Reflect.defineMetadata(
      TOOL_PARAMS,
      new Map([...(own ?? []), [index, metadata]]),
      target,
      property,
    );
  };
}

function isPipe(value: unknown): value is ToolPipe {
  return typeof value === 'function' || typeof (value as PipeTransform).transform === 'function';
}
