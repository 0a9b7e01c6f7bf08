import type { Type } from '@nestjs/common';
import { apiOperationOf, methodOf, pluginMethodOf } from '../schema';
import type { ToolOptions } from '../tool';

/**
 * A tool's description: from `@Tool`, else from `@ApiOperation`, else from the doc comment that the
 * compiler plugin read; `undefined` without any.
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
  if (isText(documented)) return documented.trim();
  return pluginMethodOf(target, methodName)?.description;
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
