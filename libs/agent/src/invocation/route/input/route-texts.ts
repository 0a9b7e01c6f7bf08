import type { JsonObject, JsonValue } from '../../../message';
import { typesOf } from '../../../schema';
import type { JsonSchema } from '../../../tool';
import type { RouteInput } from './route-fields';

/**
 * Converts numbers and booleans in path, query and headers to text: models write `17` for an id
 * that is text. A whole number that has lost digits stays a number, which is refused: its text would
 * be another id.
 */
export function withTexts({ schema, fields }: RouteInput, input: JsonObject): JsonObject {
  let changed: Record<string, JsonValue> | undefined;
  for (const { name, place } of fields) {
    if (place === 'body' || !Object.hasOwn(input, name)) continue;
    const value = input[name];
    const text = value === undefined ? value : textFor(schema.properties?.[name] ?? {}, value);
    if (text === undefined || text === value) continue;
    changed ??= { ...input };
    changed[name] = text;
  }
  return changed ?? input;
}

function textFor(schema: JsonSchema, value: JsonValue): JsonValue {
  const types = typesOf(schema.type);
  if (Array.isArray(value) && types.includes('array') && typeof schema.items === 'object') {
    const { items } = schema;
    return value.map((item: JsonValue) => textFor(items, item));
  }
  const isText = types.includes('string') && !types.includes(typeof value);
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  const isTaken = types.includes('integer') && Number.isInteger(value);
  return isText && isScalar && !isTaken && !isInexact(value) ? String(value) : value;
}

function isInexact(value: number | boolean): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
