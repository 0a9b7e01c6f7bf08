import type { AnyMethod } from '../class-type';
import 'reflect-metadata';
import type { JsonValue } from '../../message';

/** Options of `@ToolReturn`. */
export interface ToolReturnOptions {
  readonly description?: string;
  readonly example?: JsonValue;
  /** A class, `[Class]` for a list, a JSON Schema or a Standard Schema. */
  readonly type?: unknown;
}

const TOOL_RETURN = Symbol('nestjs-agent:tool-return');

export function setToolReturn(method: AnyMethod, options: ToolReturnOptions): void {
  Reflect.defineMetadata(TOOL_RETURN, options, method);
}

export function toolReturnOf(method: AnyMethod): ToolReturnOptions | undefined {
  return Reflect.getOwnMetadata(TOOL_RETURN, method) as ToolReturnOptions | undefined;
}
