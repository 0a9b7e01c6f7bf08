import type { AnyClass } from './class-type';
import 'reflect-metadata';
import type { JsonValue } from '../../message';

/**
 * Options of `@ToolField`.
 *
 * @example
 * const options: ToolFieldOptions = { description: 'Name of the application', example: 'web-shop' };
 */
export interface ToolFieldOptions {
  /** What the property means; the model reads it. That of `@ApiProperty` by default. */
  readonly description?: string;
  /** A value as it may be, for the model to read; that of `@ApiProperty` by default. */
  readonly example?: JsonValue;
  /**
   * Whether it has to be sent; by default the validators, `@ApiProperty` and an initial value tell.
   */
  readonly required?: boolean;
  /** A JSON Schema or a Standard Schema, where type and validators do not say enough. */
  readonly schema?: unknown;
  /**
   * Shown to nobody: masked in events, approvals, transcripts and audit records. The tool gets it.
   * `false` by default, and `true` with `@ApiProperty({ writeOnly: true })`.
   */
  readonly sensitive?: boolean;
}

const TOOL_FIELDS = Symbol('nestjs-agent:tool-fields');

export function addToolField(prototype: object, property: string, options: ToolFieldOptions): void {
  const own = Reflect.getOwnMetadata(TOOL_FIELDS, prototype) as
    ReadonlyMap<string, ToolFieldOptions> | undefined;
  // A new map each time: a subclass must never write into its base's.
  Reflect.defineMetadata(TOOL_FIELDS, new Map([...(own ?? []), [property, options]]), prototype);
}

const NONE: ReadonlyMap<string, ToolFieldOptions> = new Map();

/** The `@ToolField`s of a class, inherited ones included. */
export function toolFieldsOf(type: AnyClass): ReadonlyMap<string, ToolFieldOptions> {
  let fields = NONE;
  for (
    let prototype = type.prototype as object | null;
    prototype !== null && prototype !== undefined && prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype) as object | null
  ) {
    const inherited = Reflect.getOwnMetadata(TOOL_FIELDS, prototype) as typeof fields | undefined;
    if (inherited) fields = fields.size === 0 ? inherited : new Map([...inherited, ...fields]);
  }
  return fields;
}
