import type { Type } from '@nestjs/common';
import { apiOperationOf } from '../schema';
import type { ToolOptions } from '../tool';
import { methodOf } from './metadata';

/**
 * A tool's description: from `@Tool`, else from `@ApiOperation`; `undefined` if neither has one.
 */
export function descriptionOf(
  target: Type<unknown>,
  methodName: string,
  options: ToolOptions,
): string | undefined {
  if (isText(options.description)) return options.description.trim();
  const method = methodOf(target, methodName);
  const operation = method && apiOperationOf(method);
  const documented = [operation?.summary, operation?.description].filter(isText).join('. ');
  return isText(documented) ? documented.trim() : undefined;
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
