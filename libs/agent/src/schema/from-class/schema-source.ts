import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../tool';
import type { SkippedValues } from './skipped-values';
import { isStandardSchema, type StandardSchemaV1 } from './standard-schema';

/** A class, or a constructor that stands for a primitive: `String`, `Number`, `BigInt`, … */
export type SchemaType = Type<unknown> | BigIntConstructor;

/** A source of a schema. An array of one source, `[Order]`, stands for a list. */
export type SchemaSource =
  | SchemaType
  | JsonSchema
  | StandardSchemaV1
  | readonly [SchemaType | JsonSchema | StandardSchemaV1];

export interface SchemaOptions {
  /** Groups of class-validator and class-transformer; all rules by default. */
  readonly groups?: readonly string[];
  /** The values that are not checked, but for `@IsDefined()`; none by default. */
  readonly skipped?: SkippedValues;
}

export function isSchemaType(source: unknown): source is SchemaType {
  return typeof source === 'function' && !isStandardSchema(source);
}

/** Whether a value can be a schema's source. */
export function isSchemaSource(source: unknown): source is SchemaSource {
  return (typeof source === 'object' && source !== null) || typeof source === 'function';
}
