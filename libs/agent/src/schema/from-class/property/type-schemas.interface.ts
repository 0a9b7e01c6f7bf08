import type { TypeMetadata } from 'class-transformer';
import type { JsonSchema } from '../../../tool';
import type { Direction } from '../../json-schema';
import type { TypeTemplate } from '../../metadata';

/** The discriminator between several classes. */
export type Discriminator = NonNullable<NonNullable<TypeMetadata['options']>['discriminator']>;

/** Builds the schemas of the types that a property names. */
export interface TypeSchemas {
  readonly direction: Direction;
  /** A class, a primitive or a built-in, as a schema or a reference to one. */
  typeSchema(type: unknown): JsonSchema;
  /** The schema of a type that the compiler plugin has described. */
  describedSchema(template: TypeTemplate): JsonSchema;
  /** The schema of a declared source: a type, a JSON Schema or a Standard Schema. */
  sourceSchema(source: unknown): JsonSchema;
  /** One of several classes, distinguished by a property's value. */
  unionSchema(discriminator: Discriminator): JsonSchema;
}
