import type { JsonValue } from '../../message';

/** How much a schema holds, which providers bound. */
export interface SchemaSize {
  /** The names of all properties and definitions, and how many of them are properties. */
  readonly names: readonly string[];
  readonly properties: number;
  readonly optionalProperties: number;
  readonly unions: number;
  /** The values of each `enum`. */
  readonly enums: readonly (readonly JsonValue[])[];
  /** How deep objects and lists stand in one another. */
  readonly depth: number;
}

/** The formats that every provider knows which binds its models to schemas. */
export const STRICT_FORMATS: readonly unknown[] = [
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
];

/** The part of JSON Schema that a provider can bind its model to. */
export interface StrictDialect {
  /** Whether a keyword about values is taken with this value; any other is put into words. */
  readonly takes: (keyword: string, value: unknown) => boolean;
  /** Every property has to be required: one that may be left out is made nullable instead. */
  readonly requiresAll: boolean;
  readonly allowsRecursion: boolean;
  /** The limit that a schema exceeds, if any. */
  readonly excess: (size: SchemaSize) => string | undefined;
}
