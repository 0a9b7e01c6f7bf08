import { isJsonObject, type JsonObject, type JsonValue } from '../../../message';
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
  const forms = [schema, ...((schema.anyOf ?? []) as readonly JsonSchema[])];
  const types = forms.flatMap(({ type }) => typesOf(type));
  if (isJsonObject(value)) return membersFor(schema, value);
  const items = forms.map((form) => form.items).find((one) => typeof one === 'object');
  if (Array.isArray(value) && items) return value.map((item: JsonValue) => textFor(items, item));
  const isText = types.includes('string') && !types.includes(typeof value);
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  const isTaken = types.includes('integer') && Number.isInteger(value);
  return isText && isScalar && !isTaken && !isInexact(value) ? String(value) : value;
}

/** A query of any fields, or an object within a query. */
function membersFor(
  { properties = {}, additionalProperties }: JsonSchema,
  value: JsonObject,
): JsonObject {
  const further = typeof additionalProperties === 'object' ? additionalProperties : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : further;
      return [name, textFor(schema ?? {}, member)];
    }),
  );
}

function isInexact(value: number | boolean): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
