import type { AnyMethod } from './class-type';
import 'reflect-metadata';
import type { JsonValue } from '../../message';

/**
 * Options of `@ToolReturn`.
 *
 * @example
 * const options: ToolReturnOptions = {
 *   description: 'The names found',
 *   type: [String],
 *   example: ['Ada'],
 * };
 */
export interface ToolReturnOptions {
  /** The meaning of the answer; none by default. */
  readonly description?: string;
  /** An example of an answer, for the tool's detail; generated from the type by default. */
  readonly example?: JsonValue;
  /**
   * A class, `[Class]` for a list, a JSON Schema or a Standard Schema. By default the type of
   * `@ApiResponse`, or the method's return type.
   */
  readonly type?: unknown;
}

const TOOL_RETURN = Symbol('nestjs-agent:tool-return');

export function setToolReturn(method: AnyMethod, options: ToolReturnOptions): void {
  Reflect.defineMetadata(TOOL_RETURN, options, method);
}

export function toolReturnOf(method: AnyMethod): ToolReturnOptions | undefined {
  return Reflect.getOwnMetadata(TOOL_RETURN, method) as ToolReturnOptions | undefined;
}
