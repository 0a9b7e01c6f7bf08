import type { JsonValue } from '../../message';

/** The size of a schema, which providers limit. */
export interface SchemaSize {
  /** The names of all properties and definitions, and how many of them are properties. */
  readonly names: readonly string[];
  readonly properties: number;
  readonly optionalProperties: number;
  readonly unions: number;
  /** The values of each `enum`. */
  readonly enums: readonly (readonly JsonValue[])[];
  /** The depth of nested objects and lists. */
  readonly depth: number;
}

/** The formats that all providers with strict schemas support. */
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

/** The part of JSON Schema that a provider can enforce on its model. */
export interface StrictDialect {
  /**
   * Whether the provider accepts a keyword about values with this value; others are put into words.
   */
  readonly takes: (keyword: string, value: unknown) => boolean;
  /** Whether all properties must be required: optional ones become nullable instead. */
  readonly requiresAll: boolean;
  readonly allowsRecursion: boolean;
  /** The limit that a schema exceeds, if any. */
  readonly excess: (size: SchemaSize) => string | undefined;
}
