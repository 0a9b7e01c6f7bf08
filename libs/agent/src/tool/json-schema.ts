import type { JsonValue } from '../message';

/** A JSON Schema 2020-12, as far as tools use it. @see https://json-schema.org/draft/2020-12 */
export interface JsonSchema {
  /** Every other keyword. */
  readonly [keyword: string]: unknown;
  /** The type of the value, or a list of types: `object`, `string`, `null`, … */
  readonly type?: string | readonly string[];
  /** A name for people. */
  readonly title?: string;
  /** The meaning of the value, for the model to read. */
  readonly description?: string;
  /** The value used if none is given. */
  readonly default?: JsonValue;
  /** The only values allowed. */
  readonly enum?: readonly JsonValue[];
  /** An object's properties by name. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The names of the required properties. */
  readonly required?: readonly string[];
  /** The schema of further properties; `false` forbids them. */
  readonly additionalProperties?: boolean | JsonSchema;
  /** The schema of a list's items. */
  readonly items?: JsonSchema | boolean;
  /** A reference to another schema, such as `#/$defs/Address`. */
  readonly $ref?: string;
  /** Schemas that `$ref` refers to. */
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}
