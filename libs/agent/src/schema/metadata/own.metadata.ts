import 'reflect-metadata';
import { defined } from '../../internal';
import type { JsonValue } from '../../message';
import { carriedBy, carry } from './class-transformer.metadata';
import { validationRulesOf } from './class-validator.metadata';
import { type AnyClass, prototypesOf, type AnyMethod } from './class-type';
import { apiPropertiesOf } from './swagger.metadata';

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
    | ReadonlyMap<string, ToolFieldOptions>
    | undefined;
  // A new map each time: a subclass must never write into its base's.
  Reflect.defineMetadata(TOOL_FIELDS, new Map([...(own ?? []), [property, options]]), prototype);
  carry(prototype, property, options);
}

/** The `@ToolField`s of a class, inherited ones and those that a mapped type copied included. */
export function toolFieldsOf(type: AnyClass): ReadonlyMap<string, ToolFieldOptions> {
  const fields = new Map<string, ToolFieldOptions>();
  for (const prototype of prototypesOf(type).toReversed()) {
    const own = Reflect.getOwnMetadata(TOOL_FIELDS, prototype) as
      | ReadonlyMap<string, ToolFieldOptions>
      | undefined;
    for (const [property, carried] of carriedBy(prototype.constructor))
      if (own?.has(property) !== true) fields.set(property, copied(type, property, carried));
    for (const [property, options] of own ?? []) fields.set(property, options);
  }
  return fields;
}

/** A mapped type decides itself which fields are required: `PartialType` by its added validators and metadata. */
function copied(type: AnyClass, property: string, options: ToolFieldOptions): ToolFieldOptions {
  const { description, example, schema, sensitive } = options;
  const isKnown = validationRulesOf(type, []).has(property) || apiPropertiesOf(type).has(property);
  return defined({
    description,
    example,
    schema,
    sensitive,
    required: isKnown ? undefined : false,
  });
}

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

export const TOOL_RETURN = Symbol('nestjs-agent:tool-return');

export function toolReturnOf(method: AnyMethod): ToolReturnOptions | undefined {
  return Reflect.getOwnMetadata(TOOL_RETURN, method) as ToolReturnOptions | undefined;
}
