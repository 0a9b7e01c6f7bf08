import type { AnyClass } from '../metadata';
import { type JsonSchema, ToolDeclarationError } from '../../tool';
import { type Direction, INTEGER_TEXT, NUMBER_TEXT, typesOf } from '../json-schema';

/** Only the beginning; the conversion to a date decides. */
const DATE_TEXT = '^\\d{4}(-\\d\\d){0,2}([T ]|$)';

const DATE: JsonSchema = { pattern: DATE_TEXT, examples: ['2024-05-01T10:30:00Z'] };

/** A date as text alone, of which a parameter or a schema of zod makes a date. */
export const DATE_AS_TEXT: JsonSchema = {
  ...DATE,
  type: 'string',
  description: 'ISO 8601 date or date-time',
};

/** Types that JSON cannot carry, with an alternative. */
const REFUSED: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [Buffer, 'take base64 text and decode it in the method'],
  [Uint8Array, 'take base64 text and decode it in the method'],
  [ArrayBuffer, 'take base64 text and decode it in the method'],
  [Function, 'take plain data'],
  [Promise, 'take the value itself'],
  [Symbol, 'take text'],
  [RegExp, 'take text and build the expression in the method'],
  [WeakMap, 'take a Map'],
  [WeakSet, 'take a Set'],
]);

/** The language's own types, in each direction. */
const BUILTINS: ReadonlyMap<unknown, Readonly<Record<Direction, JsonSchema>>> = new Map<
  unknown,
  Readonly<Record<Direction, JsonSchema>>
>([
  [String, alike({ type: 'string' })],
  [Number, alike({ type: 'number' })],
  [Boolean, alike({ type: 'boolean' })],
  [
    Date,
    {
      input: {
        ...DATE,
        type: ['string', 'number'],
        description: 'ISO 8601 date or date-time, or milliseconds since 1970',
      },
      output: { type: 'string', format: 'date-time' },
    },
  ],
  [
    BigInt,
    {
      input: { type: ['integer', 'string'], pattern: INTEGER_TEXT },
      output: { type: ['integer', 'string'] },
    },
  ],
  [Array, alike({ type: 'array' })],
  [Set, alike({ type: 'array' })],
  [Map, alike({ type: 'object' })],
  [Object, alike({})],
  [undefined, alike({})],
  [null, alike({})],
]);

function alike(schema: JsonSchema): Readonly<Record<Direction, JsonSchema>> {
  return { input: schema, output: schema };
}

/**
 * The schema of the language's own types; `undefined` for any other class.
 *
 * @throws ToolDeclarationError for a type that JSON cannot carry
 */
export function builtinSchema(
  type: unknown,
  direction: Direction,
  place: string,
): JsonSchema | undefined {
  const builtin = BUILTINS.get(type);
  if (builtin) return builtin[direction];
  const advice = REFUSED.get(type);
  if (advice === undefined) return undefined;
  if (direction === 'output') return {};
  throw new ToolDeclarationError(
    `${place}: a ${(type as AnyClass).name} cannot come from JSON; ${advice}, or hide the property with @Exclude().`,
  );
}

/** Widens a schema to the values that `@Type(() => Number)` and the like convert. */
export function coerced(schema: JsonSchema, type: unknown): JsonSchema {
  const types = typesOf(schema.type);
  if (type === Number && schema.enum) {
    const asText = schema.enum.filter((one) => typeof one === 'number').map(String);
    return {
      ...schema,
      ...(types.length > 0 && { type: [...types, 'string'] }),
      enum: [...schema.enum, ...asText],
    };
  }
  if (type === Number && (types.includes('number') || types.includes('integer')))
    return { ...schema, type: [...types, 'string'], pattern: NUMBER_TEXT };
  if (type === String && types.includes('string') && !schema.enum)
    return { ...schema, type: [...types, 'number', 'boolean'] };
  return schema;
}
