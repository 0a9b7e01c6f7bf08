import type { AnyClass } from './class-type';
import { type JsonSchema, ToolDeclarationError } from '../tool';
import type { Direction } from './direction';

/** Text of a date or date-time that JavaScript reads alike everywhere. */
const DATE_TEXT =
  '^\\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01])([T ]([01]\\d|2[0-4]):[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?(Z|[+-]\\d{2}:?\\d{2})?)?)?$';

/** The last instant a Date can hold, in milliseconds. */
const MAX_TIME = 8.64e15;

const INTEGER_TEXT = '^-?\\d+$';

/** What cannot come out of JSON, and what to do instead. */
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

/**
 * The schema of a type that the language brings along; `undefined` of any other class.
 *
 * @throws ToolDeclarationError where JSON has nothing that could become such a value
 */
export function builtinSchema(
  type: unknown,
  direction: Direction,
  place: string,
): JsonSchema | undefined {
  switch (type) {
    case String:
      return { type: 'string' };
    case Number:
      return { type: 'number' };
    case Boolean:
      return { type: 'boolean' };
    case Date:
      return dateSchema(direction);
    case BigInt:
      return direction === 'output'
        ? { type: ['integer', 'string'] }
        : { type: ['integer', 'string'], pattern: INTEGER_TEXT };
    case Array:
    case Set:
      return { type: 'array' };
    case Map:
      return { type: 'object' };
    case Object:
    case undefined:
    case null:
      return {};
    default:
      break;
  }
  const advice = REFUSED.get(type);
  if (advice === undefined) return undefined;
  if (direction === 'output') return {};
  throw new ToolDeclarationError(
    `${place}: a ${(type as AnyClass).name} cannot come from JSON; ${advice}, or hide the property with @Exclude().`,
  );
}

function dateSchema(direction: Direction): JsonSchema {
  return direction === 'output'
    ? { type: 'string', format: 'date-time' }
    : {
        type: ['string', 'number'],
        pattern: DATE_TEXT,
        minimum: -MAX_TIME,
        maximum: MAX_TIME,
        description: 'ISO 8601 date or date-time, or milliseconds since 1970',
        examples: ['2024-05-01T10:30:00Z'],
      };
}

const NUMBER_TEXT = '^\\s*[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?\\s*$';

/** Widens a schema to what `@Type(() => Number)` and the like make of JSON before it is checked. */
export function coerced(schema: JsonSchema, type: unknown): JsonSchema {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
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
