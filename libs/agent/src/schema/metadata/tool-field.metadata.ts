import { type AnyClass, prototypesOf } from './class-type';
import 'reflect-metadata';
import type { JsonValue } from '../../message';

/**
 * Options of `@ToolField`.
 *
 * @example
 * const options: ToolFieldOptions = { description: 'Name of the application', example: 'web-shop' };
 */
export interface ToolFieldOptions {
  /** The meaning of the property, for the model; that of `@ApiProperty` by default. */
  readonly description?: string;
  /** An example value, for the model; that of `@ApiProperty` by default. */
  readonly example?: JsonValue;
  /**
   * Whether the property is required; derived from validators, `@ApiProperty` and the initial value
   * by default.
   */
  readonly required?: boolean;
  /** A JSON Schema or a Standard Schema, where type and validators do not say enough. */
  readonly schema?: unknown;
  /**
   * Masked in events, approvals, transcripts and audit records; the tool receives the value.
   * `false` by default, and `true` with `@ApiProperty({ writeOnly: true })` or
   * `@ApiProperty({ format: 'password' })`.
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
  for (const prototype of prototypesOf(type)) {
    const inherited = Reflect.getOwnMetadata(TOOL_FIELDS, prototype) as typeof fields | undefined;
    if (inherited) fields = fields.size === 0 ? inherited : new Map([...inherited, ...fields]);
  }
  return fields;
}
