import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../tool';
import { isStandardSchema, type StandardSchemaV1 } from './standard-schema';

/** A class, or a constructor that stands for a primitive: `String`, `Number`, `BigInt`, … */
export type SchemaType = Type<unknown> | BigIntConstructor;

/** Whatever a schema can be made of. An array of one source, `[Order]`, stands for a list of it. */
export type SchemaSource =
  | SchemaType
  | JsonSchema
  | StandardSchemaV1
  | readonly [SchemaType | JsonSchema | StandardSchemaV1];

export interface SchemaOptions {
  /** class-validator and class-transformer groups; all rules without any. */
  readonly groups?: readonly string[];
}

export function isSchemaType(source: unknown): source is SchemaType {
  return typeof source === 'function' && !isStandardSchema(source);
}

/** Whether a value can serve as a schema's source at all. */
export function isSchemaSource(source: unknown): source is SchemaSource {
  return (typeof source === 'object' && source !== null) || typeof source === 'function';
}
