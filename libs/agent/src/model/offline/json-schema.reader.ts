import { isJsonObject } from '../../message';
import type { JsonSchema } from '../../tool';

/** One parameter of a tool, with its references followed and `null` left aside. */
export interface Parameter {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

export function parametersOf(schema: JsonSchema, root: JsonSchema = schema): readonly Parameter[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: simplify(property, root),
    isRequired: schema.required?.includes(name) === true,
  }));
}

/** Follows `$ref` and takes the first alternative that is not `null`. */
export function simplify(schema: JsonSchema, root: JsonSchema, depth = 0): JsonSchema {
  if (depth > 8) return {};
  if (schema.$ref !== undefined) {
    const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref)?.[1];
    const target = name === undefined ? undefined : root.$defs?.[name];
    return target === undefined ? {} : simplify({ ...target, ...without(schema) }, root, depth + 1);
  }
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) {
    const schemas = (alternatives as unknown[]).filter(isSchema);
    const constants = schemas.flatMap((one) => ('const' in one ? [one['const']] : []));
    if (constants.length === schemas.length && constants.length > 0) {
      return { ...without(schema), enum: constants as JsonSchema['enum'] };
    }
    const first = schemas.find((one) => one.type !== 'null');
    if (first !== undefined) return simplify({ ...without(schema), ...first }, root, depth + 1);
  }
  return schema;
}

export function typeOf(schema: JsonSchema): string | undefined {
  if (typeof schema.type === 'string') return schema.type;
  const type = schema.type?.find((one) => one !== 'null');
  if (type !== undefined) return type;
  if (schema.enum !== undefined) return typeof schema.enum[0];
  return schema.properties === undefined ? undefined : 'object';
}

function without(schema: JsonSchema): JsonSchema {
  const rest: Record<string, unknown> = { ...schema };
  for (const key of ['$ref', 'anyOf', 'oneOf']) delete rest[key];
  return rest;
}

function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}
