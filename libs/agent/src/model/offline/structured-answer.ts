import type { JsonObject, JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { fillArguments } from './argument.filler';
import { parametersOf, simplify, typeOf } from './json-schema.reader';

/** JSON of a schema, filled from the request where possible and with empty values elsewhere. */
export function structuredAnswer(schema: JsonSchema, ask: string): JsonObject {
  const { input } = fillArguments(schema, ask, new Set());
  const open = parametersOf(schema).filter(
    ({ name, isRequired }) => isRequired && !(name in input),
  );
  return {
    ...Object.fromEntries(
      open.map(({ name, schema: property }) => [name, blank(property, schema)]),
    ),
    ...input,
  };
}

function blank(property: JsonSchema, root: JsonSchema, depth = 0): JsonValue {
  const schema = simplify(property, root);
  if (schema.default !== undefined) return schema.default;
  if ('const' in schema) return schema['const'] as JsonValue;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  const minimum = schema['minimum'];
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return typeof minimum === 'number' ? minimum : 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      if (depth > 6) return {};
      return Object.fromEntries(
        parametersOf(schema, root)
          .filter(({ isRequired }) => isRequired)
          .map(({ name, schema: inner }) => [name, blank(inner, root, depth + 1)]),
      );
    case 'null':
      return null;
    default:
      return 'unknown';
  }
}
