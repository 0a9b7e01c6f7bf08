import { jsonIn } from '../../internal';
import type { JsonObject, JsonValue } from '../../message';
import { resolveRef, typesOf } from '../../schema';
import type { JsonSchema } from '../../tool';

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * Text from a client as a tool's arguments. Each text becomes the number, boolean or JSON that the
 * schema expects. A text that cannot be converted stays text, and the schema's check refuses it.
 */
export function argumentsOf(
  texts: Readonly<Record<string, string>>,
  schema: JsonSchema,
): JsonObject {
  // By entries, so that `__proto__` is a name like any other.
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      valueOf(text, propertyOf(schema, name) ?? {}),
    ]),
  );
}

/** The schema of an argument; `undefined` for an unknown one. */
export function propertyOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  const { properties = {} } = schema;
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return property && resolveRef(property, schema);
}

function valueOf(text: string, schema: JsonSchema): JsonValue {
  const types = wantedTypes(schema);
  if (types.size === 0 || types.has('string')) return text;
  if ((types.has('number') || types.has('integer')) && NUMBER.test(text)) return numberOf(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return types.has('array') || types.has('object') ? (jsonIn(text, text) as JsonValue) : text;
}

/** A rounded id could belong to another record, so a number that is not exact stays text. */
function numberOf(text: string): JsonValue {
  const number = Number(text);
  const isExact = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isExact ? number : text;
}

function wantedTypes(schema: JsonSchema): ReadonlySet<string> {
  const branches = [schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? (list as readonly JsonSchema[]) : [],
  );
  return new Set([
    ...typesOf(schema.type),
    ...(schema.enum ?? []).map((value) => typeof value),
    ...(schema.const === undefined ? [] : [typeof schema.const]),
    ...branches.flatMap((branch) => [...wantedTypes(branch)]),
  ]);
}
