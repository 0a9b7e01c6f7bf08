import type { JsonValue } from '../message';

/** A JSON Schema 2020-12, as far as tools use it. @see https://json-schema.org/draft/2020-12 */
export interface JsonSchema {
  /** Every other keyword. */
  readonly [keyword: string]: unknown;
  /** What kind of value it is, or which kinds: `object`, `string`, `null`, … */
  readonly type?: string | readonly string[];
  /** A name, for people. */
  readonly title?: string;
  /** What the value means; the model reads it. */
  readonly description?: string;
  /** What holds where the value is left out. */
  readonly default?: JsonValue;
  /** The only values allowed. */
  readonly enum?: readonly JsonValue[];
  /** An object's properties by name. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The names of the properties that must be there. */
  readonly required?: readonly string[];
  /** What further properties have to be; `false` refuses them. */
  readonly additionalProperties?: boolean | JsonSchema;
  /** What a list's items have to be. */
  readonly items?: JsonSchema | boolean;
  /** Another schema's place, such as `#/$defs/Address`. */
  readonly $ref?: string;
  /** Schemas that `$ref` points to. */
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}
